"""Commands end when they are told to, with everything they started (SPEC C6, X5).

Real processes. Each tells that it is ready by opening a FIFO, and is known to be dead when the
FIFO's other end reads end of file: the kernel closes it for a process however it died, so nothing
here sleeps or guesses.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from faultloop.loop.tools import command, process_tree
from faultloop.loop.tools.command import RUN_COMMAND, CommandTool
from faultloop.loop.tools.port import ToolContext, ToolResult
from faultloop.loop.tools.process_tree import ProcessTree

WITHIN_S = 30
"""A bound for a broken implementation; a sound one needs a fraction of a second."""


def context() -> ToolContext:
    return ToolContext(
        call_id="call_1", key="key_1", attempt="t1", cancelled=asyncio.Event(), progress=print
    )


def run(command: str, **settings: Any) -> ToolResult:
    async def scenario() -> ToolResult:
        async with asyncio.timeout(WITHIN_S):
            return await CommandTool(**settings).run({"command": command}, context())

    return asyncio.run(scenario())


ENDED = [
    ("echo hello", "ok", "", "hello\n[exit code 0]"),
    ("true", "ok", "", "[exit code 0]"),
    ("echo out; echo err >&2; exit 3", "failed", "NON_ZERO_EXIT", "out\nerr\n[exit code 3]"),
    ("kill -9 $$", "failed", "NON_ZERO_EXIT", "[ended by SIGKILL]"),
    ("kill -40 $$", "failed", "NON_ZERO_EXIT", "[ended by signal 40]"),  # it has no name
    ("no-such-command-here 2>/dev/null", "failed", "NON_ZERO_EXIT", "[exit code 127]"),
    ("cat", "ok", "", "[exit code 0]"),  # it gets no input, so it cannot wait for any
]


@pytest.mark.parametrize(("command", "outcome", "code", "content"), ENDED)
def test_a_command_ends_with_its_output_and_how_it_ended(
    command: str, outcome: str, code: str, content: str
) -> None:
    result = run(command)
    assert (result.outcome, result.code, result.content) == (outcome, code, content)


def test_it_runs_where_and_with_what_it_was_given(tmp_path: Path) -> None:
    result = run("pwd; echo $COLOUR", cwd=tmp_path, env={"COLOUR": "blue"})
    assert result.content == f"{tmp_path.resolve()}\nblue\n[exit code 0]"


def test_long_output_keeps_both_ends_and_stays_in_budget() -> None:
    tool = CommandTool()
    result = run("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done")
    assert result.content.startswith("line 0\n")
    assert result.content.endswith("line 19999\n[exit code 0]")
    assert "bytes left out here]" in result.content
    assert len(result.content.encode()) <= tool.contract.output_budget_bytes


def test_binary_output_keeps_its_exit_code_within_the_budget() -> None:
    budget = CommandTool().contract.output_budget_bytes
    result = run(f"head -c {budget} /dev/zero | tr '\\0' '\\377'; exit 3")
    assert result.content.endswith("[exit code 3]")
    assert len(result.content.encode()) <= budget


def test_a_tiny_budget_leaves_room_for_how_it_ended() -> None:
    result = run("seq 1000; exit 3", contract=replace(RUN_COMMAND, output_budget_bytes=100))
    assert result.content.endswith("[exit code 3]")
    assert len(result.content.encode()) <= 100


def test_a_directory_that_is_missing_is_an_error_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run("true", cwd=tmp_path / "missing")


# --- stopping -----------------------------------------------------------------------------------


MEMBER = """
{trap}
exec 9>"{fifo}"
echo $$ >&9
read forever <"{never}"
"""

LEAVER = """
import os
os.setsid()
os.execvp("sh", ["sh", {member!r}])
"""


class Lives:
    """Watches a set of processes through a FIFO that each of them holds open for writing.

    `member` and `stubborn` are command lines of processes that tell their pid there and then wait
    for ever; the second is deaf to SIGTERM, `leaver` starts a session of its own.
    """

    def __init__(self, folder: Path) -> None:
        self.fifo, never = folder / "lives", folder / "never"
        os.mkfifo(self.fifo)
        os.mkfifo(never)
        self.member = self._script(folder / "member.sh", never, trap="")
        self.stubborn = self._script(folder / "stubborn.sh", never, trap="trap '' TERM")
        (folder / "leaver.py").write_text(LEAVER.format(member=str(folder / "member.sh")))
        self.leaver = f"{sys.executable} {folder / 'leaver.py'}"

    def _script(self, path: Path, never: Path, *, trap: str) -> str:
        path.write_text(MEMBER.format(trap=trap, fifo=self.fifo, never=never))
        return f"sh {path}"

    async def __aenter__(self) -> Lives:
        read_end = os.open(self.fifo, os.O_RDONLY | os.O_NONBLOCK)
        # Without a writer the FIFO would read as ended before the first member is there.
        self.own_end = os.open(self.fifo, os.O_WRONLY)
        self.reader = asyncio.StreamReader()
        self.transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(self.reader), os.fdopen(read_end, "rb", 0)
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        self.transport.close()

    async def began(self, count: int) -> list[int]:
        """The pids of so many members, once they are all there."""
        return [int(await self.reader.readline()) for _ in range(count)]

    async def over(self) -> None:
        """Wait until the last member is gone."""
        os.close(self.own_end)
        await self.reader.read()


@pytest.fixture
def lives(tmp_path: Path) -> Lives:
    return Lives(tmp_path)


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def survivors(lives: Lives, command: str, count: int, *, cancels: int = 1) -> list[int]:
    """Run until all members are there, cancel, and say who is left when that has returned."""

    async def scenario() -> list[int]:
        async with asyncio.timeout(WITHIN_S), lives:
            tool = CommandTool(grace_s=0.1)
            call = asyncio.create_task(tool.run({"command": command}, context()))
            pids = await lives.began(count)
            for _ in range(cancels):
                call.cancel()
                await asyncio.wait({call}, timeout=0)
            with pytest.raises(asyncio.CancelledError):
                await call
            left = [pid for pid in pids if alive(pid)]
            await lives.over()
            return left

    return asyncio.run(scenario())


def test_a_cancelled_command_is_gone_when_the_cancel_returns(lives: Lives) -> None:
    assert survivors(lives, f"exec {lives.member}", 1) == []


def test_its_children_are_gone_too(lives: Lives) -> None:
    assert survivors(lives, f"{lives.member} & {lives.member} & {lives.member}", 3) == []


def test_children_that_are_deaf_to_sigterm_are_killed_after_the_grace(lives: Lives) -> None:
    assert survivors(lives, f"{lives.stubborn} & {lives.member} & {lives.stubborn}", 3) == []


def test_a_child_that_left_the_session_is_found(lives: Lives) -> None:
    assert survivors(lives, f"{lives.leaver} & {lives.member}", 2) == []


def test_being_cancelled_again_does_not_cut_the_cleaning_short(lives: Lives) -> None:
    assert survivors(lives, lives.stubborn, 1, cancels=3) == []


def test_what_a_command_leaves_behind_is_stopped_and_told(lives: Lives, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)

    async def scenario() -> ToolResult:
        async with asyncio.timeout(WITHIN_S), lives:
            command = f"{lives.member} & read x <{gate}; echo started"
            call = asyncio.create_task(CommandTool().run({"command": command}, context()))
            await lives.began(1)
            gate.write_text("the child is there\n")
            result = await call
            await lives.over()
            return result

    result = asyncio.run(scenario())
    assert result.outcome == "ok"
    assert result.content == (
        "started\n[exit code 0; 1 process(es) left in the background were stopped]"
    )


def test_a_command_that_outlasts_its_time_is_stopped_and_its_outcome_unknown(
    lives: Lives,
) -> None:
    async def scenario() -> ToolResult:
        async with asyncio.timeout(WITHIN_S), lives:
            tool = CommandTool(timeout_s=0.2)
            result = await tool.run({"command": f"exec {lives.member}"}, context())
            await lives.over()
            return result

    result = asyncio.run(scenario())
    assert (result.outcome, result.code) == ("unknown", "TIMEOUT")
    assert "did not end within 0.2 s and was stopped. It may have taken effect" in result.content


def stop_missing(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many SIGKILLs hit none, as where a tree forks faster than it can be looked at."""
    missed: list[signal.Signals] = []
    really = ProcessTree.signal

    def misses(tree: ProcessTree, number: signal.Signals) -> None:
        if number == signal.SIGKILL and len(missed) < times:
            missed.append(number)
        else:
            really(tree, number)

    monkeypatch.setattr(ProcessTree, "signal", misses)


def test_what_the_first_sigkill_missed_the_next_one_hits(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_missing(2, monkeypatch)
    assert survivors(lives, lives.stubborn, 1) == []


@pytest.mark.parametrize("ends_by", ["cancel", "timeout"])
def test_what_cannot_be_stopped_is_named_and_its_outcome_unknown(
    lives: Lives, monkeypatch: pytest.MonkeyPatch, ends_by: str
) -> None:
    """A cancel does not go through then: the world is not quiet."""
    monkeypatch.setattr(process_tree, "KILL_WAIT_S", 0.0)
    monkeypatch.setattr(command, "DRAIN_S", 0.01)  # it holds on to the pipe

    async def scenario() -> tuple[int, ToolResult]:
        async with asyncio.timeout(WITHIN_S), lives:
            tool = CommandTool(grace_s=0.0, timeout_s=0.5 if ends_by == "timeout" else None)
            call = asyncio.create_task(tool.run({"command": lives.stubborn}, context()))
            (pid,) = await lives.began(1)
            if ends_by == "cancel":
                call.cancel()
            result = await call
            os.kill(pid, signal.SIGKILL)
            await lives.over()
            return pid, result

    pid, result = asyncio.run(scenario())
    assert (result.outcome, result.code) == ("unknown", "STILL_RUNNING")
    assert "could not be stopped: process " in result.content
    assert str(pid) in result.content


def test_where_everything_is_being_cancelled_a_command_is_killed_without_a_grace(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `asyncio.run` does it at its end, the command's own task included."""
    trees: list[ProcessTree] = []
    really = ProcessTree.start

    async def start(*argv: Any, **settings: Any) -> ProcessTree:
        trees.append(await really(*argv, **settings))
        return trees[-1]

    monkeypatch.setattr(ProcessTree, "start", start)

    async def scenario() -> int:
        async with asyncio.timeout(WITHIN_S), lives:
            run = CommandTool(grace_s=WITHIN_S).run({"command": lives.stubborn}, context())
            call = asyncio.create_task(run)
            await lives.began(1)
            everything = asyncio.all_tasks() - {asyncio.current_task()}
            for task in everything:
                task.cancel()
            await asyncio.wait(everything)
            assert call.cancelled()
            await lives.over()
            return await trees[0].leader.wait()

    assert asyncio.run(scenario()) == -signal.SIGKILL
