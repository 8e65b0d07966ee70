"""SIGKILL for a real process at each landmark of its journal, and a restart that finds its files.

The same story as in `test_recovery`, where the crash is simulated. What a simulated crash leaves
must be what a real one leaves: the journal after the restart is the same, event by event, and so is
what was paid. The killed process is a fork of this one; it holds the lease when it dies.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import pytest

from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent
from faultloop.loop.journal import jsonl
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.mark import Mark
from faultloop.loop.journal.sqlite import SqliteJournal
from faultloop.loop.landmarks import SILENT, Landmarks
from faultloop.loop.lease.file import FileLease

from .story import AT_ONCE, Toy, played, toy
from .test_recovery import LANDMARKS, LOOK, Sensible, vanished

KINDS = {"jsonl": JsonlJournal, "sqlite": SqliteJournal}
TTL_S = 3600.0
"""Nobody waits for it: a process that was killed is provably gone."""


def die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("the dead do not go on")


class Deadly:
    """Landmarks of a process that is killed at the nth of them."""

    def __init__(self, at: int) -> None:
        self.left = at

    async def reach(self, name: str, events: Sequence[AnyEvent] = ()) -> None:
        self.left -= 1
        if self.left == 0:
            die()


@pytest.fixture(scope="module")
def kills(request: pytest.FixtureRequest) -> Iterator[Counter[str]]:
    """What was killed where, printed at the end."""
    counted: Counter[str] = Counter()
    yield counted
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        for what, number in counted.items():
            print(f"\nSIGKILL of {number} real processes {what}, each restarted", end="")


class House:
    """What outlives a process: a journal, and a book of payments."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.path, self.book = KINDS[kind], folder / "journal", folder / "payments"

    @property
    def payments(self) -> list[str]:
        return self.book.read_text().split() if self.book.exists() else []

    def events(self) -> list[AnyEvent]:
        with closing(self.kind(self.path)) as journal:
            return journal.load()

    async def live(self, landmarks: Landmarks = SILENT, *, said: str = "") -> None:
        """One process: it takes the message, or goes on with what is pending."""
        journal = self.kind(self.path)
        agent = Agent(
            provider=Sensible(),
            tools=self._tools(),
            journal=journal,
            session="session",
            policy=AT_ONCE,
            landmarks=landmarks,
            lease=FileLease(journal, ttl_s=TTL_S),
        )
        await agent.open()
        await (agent.prompt(said) if said else agent.resume())
        await agent.close()

    def killed(self, before: Callable[[], Landmarks]) -> None:
        """Let a process live, and assert that it was killed."""
        child = os.fork()
        if child == 0:
            try:
                asyncio.run(self.live(before(), said="pay once"))
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status)
        assert os.WTERMSIG(status) == signal.SIGKILL

    def _tools(self) -> list[Toy]:
        def pay(args: dict[str, Any], context: Any) -> str:
            with self.book.open("a") as book:
                book.write(f"{context.key}\n")
            return "paid"

        return [
            toy("look", **LOOK),
            toy("pay", pay, verify_with="payments"),
            toy("payments", lambda args, context: f"{len(self.payments)} payments", **LOOK),
        ]

    def is_as_if_vanished_at(self, at: int) -> None:
        """After the restart all is as where the crash was simulated at this landmark."""
        simulated = vanished(at)
        assert simulated is not None
        world, *_ = simulated
        assert self.events() == world.events
        assert self.payments == world.payments


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory where there is such a place: hundreds of syncs are not what is tested."""
    shm = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None) as folder:
        yield Path(folder)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", range(1, LANDMARKS + 1))
def test_a_process_killed_at_a_landmark_leaves_what_the_simulated_one_leaves(
    kind: str, at: int, folder: Path, kills: Counter[str]
) -> None:
    house = House(kind, folder)
    house.killed(lambda: Deadly(at))
    played(house.live())
    house.is_as_if_vanished_at(at)
    once = house.events()
    played(house.live())
    assert house.events() == once
    assert len(house.payments) <= 1
    kills[f"at landmarks, {kind}"] += 1


# --- within an append of the JSONL journal ----------------------------------------------------

APPENDS = LANDMARKS // 2


class Nth:
    """Counts calls, and kills at the nth; until then it does what it replaces."""

    def __init__(self, at: int, real: Callable[..., Any], last: Callable[..., Any]) -> None:
        self.left, self.real, self.last = at, real, last

    def __call__(self, *given: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            self.last(*given)
            die()
        return self.real(*given)


@pytest.mark.parametrize("append", range(1, APPENDS + 1))
@pytest.mark.parametrize(
    ("when", "is_written"),
    [("half written", False), ("not synced", True), ("not marked", True)],
)
def test_a_process_killed_within_an_append_loses_that_append_or_nothing(
    when: str, is_written: bool, append: int, folder: Path, kills: Counter[str]
) -> None:
    def half(file: int, data: bytes, offset: int) -> None:
        os.pwrite(file, data[: len(data) // 2], offset)

    def prepared() -> Landmarks:
        match when:
            case "half written":
                jsonl._write = Nth(append, jsonl._write, half)
            case "not synced":  # the first sync is the fence's
                jsonl.SYNC = Nth(append + 1, jsonl.SYNC, lambda file: None)
            case _:
                marks: Any = jsonl.MarkFile
                real = marks.write
                dying = Nth(append, real, lambda file, mark: None)
                marks.write = lambda file, mark: dying(file, Mark(*mark))
        return SILENT

    house = House("jsonl", folder)
    house.killed(prepared)
    played(house.live())
    house.is_as_if_vanished_at(2 * append if is_written else 2 * append - 1)
    kills[f"within an append, jsonl, {when}"] += 1
