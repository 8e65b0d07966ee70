"""The yard: commands that a subject runs itself, as real processes, with effects that are ours."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Coroutine
from pathlib import Path

import psutil
import pytest

from faultloop.fakes.history import CallAbandoned, CallAnswered, CallArrived, GateOpened
from faultloop.fakes.landmarks import Trigger
from faultloop.fakes.script import Script, Step
from faultloop.fakes.stage import Plan, Stage
from faultloop.fakes.world.spec import CommandSpec, WorldSpec
from faultloop.fakes.yard import Yard

COMMANDS = {
    "deploy now": CommandSpec(output="it's out\n", effect="deployed"),
    "deploy slowly": CommandSpec(output="out at last\n", takes_s=60, effect="deployed slowly"),
    "check": CommandSpec(output="1 failing\n", exit_code=1),
}


class Announced:
    """Deeds of a bench that only wants to know when a command has begun."""

    def __init__(self) -> None:
        self.began = asyncio.Event()

    async def kill(self, start: int) -> None:
        raise AssertionError

    async def cancel(self, start: int) -> None:
        raise AssertionError

    async def say(self, start: int, kind: str, text: str) -> None:
        self.began.set()


class Scene:
    """A stage with a yard, and a shell that runs in it."""

    def __init__(self, stage: Stage, yard: Yard, deeds: Announced) -> None:
        self.stage = stage
        self.yard = yard
        self.began = deeds.began
        self.shells: list[asyncio.subprocess.Process] = []

    async def shell(self, line: str) -> asyncio.subprocess.Process:
        shell = await asyncio.create_subprocess_exec(
            "sh",
            *("-c", line),
            env=self.yard.environment(1),
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        self.shells.append(shell)
        return shell

    async def effects(self) -> list[str]:
        """What was changed, once everything is over."""
        assert await self.yard.settle() == []
        return [effect.what for effect in self.stage.ledger.effects]

    def seen(self, *kinds: type) -> list[str]:
        return [type(entry).__name__ for entry in self.stage.history if isinstance(entry, kinds)]


def play(story: Callable[[Scene], Coroutine[None, None, None]], directory: Path) -> None:
    async def main() -> None:
        deeds = Announced()
        plan = Plan(
            seed=1,
            play="p",
            script=Script(turns=((Step(say="Hello."),),)),
            inputs=("Go.",),
            world=WorldSpec(commands=COMMANDS),
            triggers=(Trigger(at="call_arrived", do="steer"),),
        )
        stage = Stage(plan, clock=time.monotonic, deeds=deeds, tier="real", commands="own")
        stage.begin(1, 0, resume=False)
        async with Yard(stage, directory / "yard") as yard:
            scene = Scene(stage, yard, deeds)
            await story(scene)
        await asyncio.gather(*(shell.wait() for shell in scene.shells))
        await stage.close()

    asyncio.run(main())


def test_a_command_runs_to_its_end_and_changes_the_world(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        shell = await scene.shell("deploy   now")  # a shell cares as little about spaces
        output, _ = await shell.communicate()
        assert (output, shell.returncode) == (b"it's out\n", 0)
        # The effect was written down before the command was let go on to print anything.
        assert [effect.what for effect in scene.stage.ledger.effects] == ["deployed"]
        (arrived,) = [e for e in scene.stage.history if isinstance(e, CallArrived)]
        assert (arrived.own, arrived.start) == (True, 1)
        assert arrived.arguments == '{"command":"deploy now"}'

    play(story, tmp_path)


def test_a_command_in_a_cleared_environment_is_known_by_its_start_all_the_same(
    tmp_path: Path,
) -> None:
    async def story(scene: Scene) -> None:
        scene.stage.begin(2, 0, resume=True)
        for start in (1, 2):
            path = scene.yard.environment(start)["PATH"]
            shell = await scene.shell(f'env -i PATH="{path}" deploy now')
            assert (await shell.communicate())[0] == b"it's out\n"
        await scene.effects()
        assert [e.start for e in scene.stage.history if isinstance(e, CallArrived)] == [1, 2]

    play(story, tmp_path)


@pytest.mark.parametrize(
    ("line", "output", "exit_code"),
    [
        ("check", b"1 failing\n", 1),
        ("check twice", b"sh: 1: check twice: not found\n", 127),
    ],
)
def test_a_command_that_fails_changes_nothing(
    tmp_path: Path, line: str, output: bytes, exit_code: int
) -> None:
    async def story(scene: Scene) -> None:
        shell = await scene.shell(line)
        assert await shell.communicate() == (output, None)
        assert shell.returncode == exit_code
        assert await scene.effects() == []
        (answer,) = [e for e in scene.stage.history if isinstance(e, CallAnswered)]
        assert answer.outcome == "failed"
        assert f"exit code {exit_code}" in answer.body

    play(story, tmp_path)


def test_a_command_that_takes_time_waits_at_the_gate(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        shell = await scene.shell("deploy slowly")
        await scene.began.wait()
        assert scene.yard.alive() != []
        assert scene.stage.ledger.effects == []
        scene.stage.open_gate()
        assert await shell.communicate() == (b"out at last\n", None)
        assert await scene.effects() == ["deployed slowly"]
        assert scene.yard.alive() == []

    play(story, tmp_path)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_command_that_is_killed_before_its_end_changes_nothing(
    tmp_path: Path, how: signal.Signals
) -> None:
    async def story(scene: Scene) -> None:
        shell = await scene.shell("deploy slowly")
        await scene.began.wait()
        os.killpg(shell.pid, how)
        await shell.wait()
        scene.stage.open_gate()
        assert await scene.effects() == []
        (abandoned,) = [e for e in scene.stage.history if isinstance(e, CallAbandoned)]
        assert abandoned.stopped

    play(story, tmp_path)


def test_the_late_effect_of_an_orphan_is_seen(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        parent = await scene.shell("deploy slowly >/dev/null & wait")
        await scene.began.wait()
        parent.kill()  # and not its child
        await parent.wait()
        assert scene.yard.alive() != []
        scene.stage.open_gate()
        assert await scene.effects() == ["deployed slowly"]
        assert scene.seen(GateOpened, CallAbandoned, CallAnswered) == ["GateOpened", "CallAnswered"]

    play(story, tmp_path)


def test_several_commands_at_once_are_told_apart(tmp_path: Path) -> None:
    async def story(scene: Scene) -> None:
        shells = [await scene.shell("deploy now") for _ in range(4)]
        slow = await scene.shell("deploy slowly")
        for shell in shells:
            assert await shell.communicate() == (b"it's out\n", None)
        scene.stage.open_gate()
        assert await slow.communicate() == (b"out at last\n", None)
        assert await scene.effects() == ["deployed"] * 4 + ["deployed slowly"]

    play(story, tmp_path)


def test_leaving_the_yard_kills_what_is_left(tmp_path: Path) -> None:
    left: list[int] = []

    async def story(scene: Scene) -> None:
        await scene.shell("deploy slowly")
        await scene.began.wait()
        left.extend(await scene.yard.settle(within_s=0))
        assert [runs(pid) for pid in left] == [True]

    play(story, tmp_path)
    assert [runs(pid) for pid in left] == [False]


def runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("echo done", "every shell does that"),
        ("./build.sh", "it is a path"),
        ("node build.js", "subjects are started with it"),
    ],
)
def test_a_command_that_could_not_be_seen_is_refused(tmp_path: Path, line: str, why: str) -> None:
    async def main() -> None:
        plan = Plan(
            seed=1,
            play="p",
            script=Script(turns=((Step(say="Hello."),),)),
            inputs=("Go.",),
            world=WorldSpec(commands={line: CommandSpec()}),
        )
        stage = Stage(plan, clock=time.monotonic, deeds=Announced(), tier="real")
        with pytest.raises(ValueError, match=why):
            async with Yard(stage, tmp_path / "yard"):
                raise AssertionError

    asyncio.run(main())
