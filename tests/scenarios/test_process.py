"""Process subjects: real processes, real signals, in both ways of bringing them to life."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

import faultloop.bench.subjects
from faultloop.fakes.mcp import pipe
from faultloop.scenarios.subject import Brief, Column, Outcome, Session, Venue
from faultloop.scenarios.subjects import launch, process_session
from faultloop.scenarios.subjects.declaration import Declaration
from faultloop.scenarios.subjects.process import ProcessRun, ProcessSubject

HELPER_FOLDER = Path(faultloop.bench.subjects.__file__).parent

PREAMBLE = """
import json, os, signal, subprocess, sys, time
import faultloop_driver as bench

def tell(*words):
    with open(os.environ["FAULTLOOP_STATE_DIR"] + "/told", "w") as fifo:
        fifo.write(" ".join(map(str, words)))

def main():
"""


class Toy:
    """A driver written for one test, and a pipe through which it tells how far it is."""

    def __init__(self, folder: Path, mode: str) -> None:
        self.folder = folder
        self.mode = mode
        self.state = folder / "state"
        self.state.mkdir()
        self.told = self.state / "told"
        os.mkfifo(self.told)

    def subject(self, body: str, **keys: Any) -> ProcessSubject:
        lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
        (self.folder / "driver.py").write_text(f"{PREAMBLE}{lines}\nbench.run(main)\n")
        declaration = Declaration.model_validate(
            {
                "name": "toy",
                "version": "1",
                "command": ["{python}", "driver.py"],
                "mode": self.mode,
                "environment": {"PYTHONPATH": str(HELPER_FOLDER)},
                **keys,
            }
        )
        return ProcessSubject(declaration, self.folder)

    @asynccontextmanager
    async def session(self, subject: ProcessSubject) -> AsyncIterator[Session]:
        venue = Venue(
            stage=SimpleNamespace(plan=SimpleNamespace(play="toy")),  # type: ignore[arg-type]
            column=Column(streaming=False),
            seed=1,
            url="http://127.0.0.1:9/r/toy",
            state_dir=self.state,
            environment=lambda start: {"EXTRA": f"for start {start}"},
        )
        try:
            async with subject.open(venue) as session:
                yield session
        finally:
            await subject.close()

    async def hears(self) -> str:
        """What it told, once it did."""
        return await asyncio.to_thread(self.told.read_text)


@pytest.fixture(params=["cold", "zygote"])
def toy(tmp_path: Path, request: pytest.FixtureRequest) -> Toy:
    return Toy(tmp_path, request.param)


def brief(start: int = 1, text: str = "Hello") -> Brief:
    return Brief(start=start, input=text, resume=start > 1, max_steps=7, deadline_s=9)


def played(
    toy: Toy, subject: ProcessSubject, story: Callable[[ProcessRun], Coroutine[Any, Any, None]]
) -> Outcome:
    """Start once, do what the story says, and wait."""

    async def play() -> Outcome:
        async with toy.session(subject) as session:
            run = await session.start(brief())
            assert isinstance(run, ProcessRun)
            await story(run)
            outcome = await run.wait()
            await run.clear()
            return outcome

    return asyncio.run(play())


async def nothing(run: ProcessRun) -> None:
    """A story in which the bench only waits."""


def test_a_completed_start_exits_with_0_and_says_what_it_said(toy: Toy) -> None:
    outcome = played(toy, toy.subject('print("noise"); return "Hi."'), nothing)
    assert (outcome.how, outcome.exit_code) == ("exited", 0)
    assert (outcome.account.end_reason, outcome.account.final_text) == ("completed", "Hi.")


def test_an_exception_is_an_error_and_no_zero(toy: Toy) -> None:
    outcome = played(toy, toy.subject('raise ValueError("no")'), nothing)
    assert (outcome.how, outcome.exit_code) == ("exited", 1)
    assert (outcome.account.end_reason, outcome.account.error) == ("error", "ValueError: no")


def test_the_environment_is_the_contract_s_and_nothing_else(
    toy: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example")
    body = 'return " ".join(f"{k}={v}" for k, v in sorted(os.environ.items()))'
    text = str(played(toy, toy.subject(body), nothing).account.final_text)
    for told in (
        "OPENAI_BASE_URL=http://127.0.0.1:9/r/toy/1/v1",
        "FAULTLOOP_TOOLS_URL=http://127.0.0.1:9/r/toy/1/tools",
        "FAULTLOOP_MCP_URL=http://127.0.0.1:9/r/toy/1/mcp",
        f'FAULTLOOP_MCP_STDIO=["{sys.executable}", "-I", "{pipe.__file__}", '
        '"http://127.0.0.1:9/r/toy/1/mcp"]',
        "FAULTLOOP_INPUT=Hello",
        "FAULTLOOP_RESUME=0",
        "FAULTLOOP_STREAM=0",
        "FAULTLOOP_GOAL_ROUNDS=",
        "FAULTLOOP_MAX_STEPS=7",
        f"FAULTLOOP_STATE_DIR={toy.state}",
        f"HOME={toy.state}/home",
        "EXTRA=for start 1",
    ):
        assert told in text
    assert "proxy" not in text


def test_it_works_in_a_folder_of_its_own(toy: Toy) -> None:
    outcome = played(toy, toy.subject("return os.getcwd()"), nothing)
    assert outcome.account.final_text == str(toy.state / "work")


def test_state_survives_and_the_second_start_knows_that_it_resumes(toy: Toy) -> None:
    subject = toy.subject(
        """
path = bench.setting("STATE_DIR") + "/memory"
before = open(path).read() if os.path.exists(path) else ""
open(path, "w").write(before + bench.setting("INPUT"))
return bench.setting("RESUME") + bench.setting("START") + before
"""
    )

    async def play() -> list[str | None]:
        texts = []
        async with toy.session(subject) as session:
            for start, text in ((1, "one "), (2, "two ")):
                run = await session.start(brief(start, text))
                texts.append((await run.wait()).account.final_text)
                await run.clear()
        return texts

    assert asyncio.run(play()) == ["01", "12one "]


CHILD = 'subprocess.Popen(["sleep", "1000"])'


def test_a_kill_ends_every_process_of_the_session(toy: Toy) -> None:
    subject = toy.subject(f"child = {CHILD}\ntell(os.getpid(), child.pid)\ntime.sleep(1000)")

    async def story(run: ProcessRun) -> None:
        leader, child = map(int, (await toy.hears()).split())
        assert process_session.members(leader) == sorted([leader, child])
        await run.kill()
        assert process_session.members(leader) == []
        assert not is_running(child)

    outcome = played(toy, subject, story)
    assert (outcome.how, outcome.exit_code) == ("killed", -signal.SIGKILL)
    assert outcome.account.end_reason is None
    assert (outcome.queued_s is not None) == Path("/proc/self/schedstat").exists()


def is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_children_that_outlive_their_leader_are_cleared_and_counted(toy: Toy) -> None:
    subject = toy.subject(f"return str({CHILD}.pid)")

    async def play() -> None:
        async with toy.session(subject) as session:
            run = await session.start(brief())
            outcome = await run.wait()
            child = int(str(outcome.account.final_text))
            assert (outcome.how, is_running(child)) == ("exited", True)
            assert await run.clear() == 1
            assert not is_running(child)
            await run.kill()  # it is over: must not strike whoever has its id now

    asyncio.run(play())


def test_what_has_left_the_session_is_found_by_its_environment(toy: Toy) -> None:
    subject = toy.subject(
        'return str(subprocess.Popen(["sleep", "999"], start_new_session=True).pid)'
    )

    async def play() -> None:
        async with toy.session(subject) as session:
            run = await session.start(brief())
            child = int(str((await run.wait()).account.final_text))
            assert is_running(child)
            assert await run.clear() == 1
            assert not is_running(child)

    asyncio.run(play())


def test_what_ends_by_itself_soon_after_its_leader_was_not_left(toy: Toy) -> None:
    subject = toy.subject('subprocess.Popen(["sleep", "0.1"]); return "Done."')

    async def play() -> int:
        async with toy.session(subject) as session:
            run = await session.start(brief())
            await run.wait()
            return await run.clear()

    assert asyncio.run(play()) == 0


def test_a_cancel_is_sigint_to_the_leader_even_where_the_bench_ignores_it(toy: Toy) -> None:
    subject = toy.subject("tell('ready')\ntime.sleep(1000)")

    async def story(run: ProcessRun) -> None:
        await toy.hears()
        await run.cancel()

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        outcome = played(toy, subject, story)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (outcome.how, outcome.exit_code) == ("exited", 130)
    assert outcome.account.end_reason == "aborted"


def test_a_group_cancel_reaches_the_children_too(toy: Toy) -> None:
    subject = toy.subject(
        """
signal.signal(signal.SIGINT, lambda *_: None)
child = subprocess.Popen(["sh", "-c", "echo up; exec sleep 1000"], stdout=subprocess.PIPE)
child.stdout.readline()
tell("ready")
return str(child.wait())
""",
        cancel="sigint_group",
    )

    async def story(run: ProcessRun) -> None:
        await toy.hears()
        await run.cancel()

    assert played(toy, subject, story).account.final_text == str(-signal.SIGINT)


def test_control_lines_arrive_on_standard_input(toy: Toy) -> None:
    subject = toy.subject(
        """
tell("ready")
lines = [json.loads(sys.stdin.readline()) for _ in range(2)]
return " ".join(line["type"] + ":" + line["text"] for line in lines)
""",
        control="stdin",
        cancel="control",
    )

    async def story(run: ProcessRun) -> None:
        await toy.hears()
        await run.say("steer", "left, please")
        await run.cancel()

    assert played(toy, subject, story).account.final_text == "steer:left, please cancel:"


def test_whoever_waits_for_more_input_after_its_account_is_told_that_none_comes(toy: Toy) -> None:
    subject = toy.subject(
        """
bench.emit(turn=1, end_reason="completed", final_text="first")
line = json.loads(sys.stdin.readline())
return line["type"]
""",
        control="stdin",
    )

    assert played(toy, subject, nothing).account.final_text == "close"


def test_a_grandchild_that_holds_the_output_keeps_nobody_waiting(toy: Toy) -> None:
    subject = toy.subject(f'{CHILD}; return "Gone."')
    assert played(toy, subject, nothing).account.final_text == "Gone."


def test_standard_error_is_kept(toy: Toy) -> None:
    subject = toy.subject('raise ValueError("look here")')

    async def play() -> str:
        async with toy.session(subject) as session:
            run = await session.start(brief())
            await run.wait()
            return session.stderr()

    assert "ValueError: look here" in asyncio.run(play())


def test_leaving_the_session_ends_what_still_runs(toy: Toy) -> None:
    subject = toy.subject("tell(os.getpid())\ntime.sleep(1000)")

    async def play() -> int:
        async with toy.session(subject) as session:
            await session.start(brief())
            return int(await toy.hears())

    assert not is_running(asyncio.run(play()))


@pytest.mark.parametrize("pid", [-1, 0, 1, os.getpid()], ids=["-1", "0", "1", "own"])
@pytest.mark.parametrize("group", [False, True])
def test_nothing_is_sent_to_what_is_no_process_of_a_subject(
    pid: int, group: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _: sent.append(pid))
    monkeypatch.setattr(os, "killpg", lambda pid, _: sent.append(pid))
    with pytest.raises(ValueError, match="is no process of a subject"):
        process_session.send(pid, signal.SIGKILL, group=group)
    for session in (-1, 0, 1, os.getsid(0)):
        with pytest.raises(ValueError, match="is no session of a subject"):
            asyncio.run(process_session.end(session))
    assert sent == []


def test_output_is_read_up_to_a_bound_and_what_is_beyond_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "STDOUT_BYTES_MAX", 1_000)
    streams = launch.Streams(tmp_path, 1, control=False)
    streams.stdout.write_text("x" * 1_000)
    assert streams.excess() == ()
    streams.stdout.write_text("x" * 1_001)
    assert streams.output() == "x" * 1_000
    assert streams.excess() == (
        "it wrote 1,001 bytes to standard output, of which the first 1,000 are read;"
        " a result line after these is not seen",
    )


def test_a_subject_that_deletes_its_output_is_told_and_no_failure_of_the_bench(
    tmp_path: Path,
) -> None:
    streams = launch.Streams(tmp_path, 1, control=False)
    streams.stdout.unlink()
    streams.stderr.unlink()
    assert (streams.output(), streams.errors()) == ("", "")
    assert streams.excess() == (
        "the file that its standard output goes to is gone: it was deleted meanwhile",
    )
