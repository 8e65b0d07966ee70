"""SQLite's write-ahead log cut and damaged: never a silent loss, never a wrong event.

SQLite opens a damaged log without complaint as an earlier history; only the chain and the mark
tell. As for JSONL, two questions: a crash in the middle of an append, with the mark as it was
before, loses that append alone; harm to what was acknowledged is named, or has done nothing.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from faultloop.loop.events import AnyEvent
from faultloop.loop.journal.mark import SUFFIX
from faultloop.loop.journal.port import JournalDamaged
from faultloop.loop.journal.sqlite import SqliteJournal

from .stores import EVENTS, said

LOG_HEAD_BYTES, FRAME_HEAD_BYTES, PAGE_BYTES = 32, 24, 4096
FRAME_BYTES = FRAME_HEAD_BYTES + PAGE_BYTES

APPENDS: list[list[AnyEvent]] = [
    EVENTS[:3],
    [EVENTS[3]],
    [said(2, "ü" * 9_000), said(3)],
    *([said(number, "x" * 300)] for number in range(4, 14)),
    [said(20, "y" * 30_000)],
    [said(21)],
]
HISTORY = [event for append in APPENDS for event in append]
MORE = said(99)


class State(NamedTuple):
    """The files after an append, and how many events are acknowledged."""

    database: bytes
    log: bytes
    mark: bytes
    count: int


class Disk:
    """A folder in which a journal is set up as a crash or a bad disk left it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0
        self.path = folder

    def states(self, checkpoint_pages: int) -> list[State]:
        """After each append, with the log written back to the database at this many pages."""
        states = []
        path = self._fresh()
        with closing(SqliteJournal(path)) as journal:
            journal._db.execute(f"PRAGMA wal_autocheckpoint={checkpoint_pages}")
            count = 0
            for append in ([], *APPENDS):
                journal.append(*append)
                count += len(append)
                files = (Path(f"{path}{end}") for end in ("", "-wal", SUFFIX))
                states.append(State(*(file.read_bytes() for file in files), count))
        return states

    def loaded(self, database: bytes, log: bytes, mark: bytes) -> list[AnyEvent]:
        """What a start makes of these files."""
        path = self._fresh()
        for end, content in (("", database), ("-wal", log), (SUFFIX, mark)):
            Path(f"{path}{end}").write_bytes(content)
        with closing(SqliteJournal(path)) as journal:
            return journal.load()

    def goes_on(self) -> list[AnyEvent]:
        """The history after one more append, as the next start sees it."""
        with closing(SqliteJournal(self.path)) as journal:
            journal.append(MORE)
        with closing(SqliteJournal(self.path)) as journal:
            return journal.load()

    def _fresh(self) -> Path:
        for old in self.folder.glob(f"{self.number}.*"):
            old.unlink()
        self.number += 1
        self.path = self.folder / f"{self.number}.sqlite"
        return self.path


@pytest.fixture(scope="module")
def disk() -> Iterator[Disk]:
    """In memory where there is such a place: thousands of syncs are not what is tested."""
    shm = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None) as folder:
        yield Disk(Path(folder))


def places(length: int, *, seeded: int = 0) -> list[int]:
    """Every frame border, one byte beside it, the middle of each frame's head and page, and more.

    Seeded ones are spread over the whole log.
    """
    at = {0, 1, LOG_HEAD_BYTES // 2, length}
    for border in range(LOG_HEAD_BYTES, length + 1, FRAME_BYTES):
        at |= {border - 1, border, border + 1, border + FRAME_HEAD_BYTES, border + PAGE_BYTES // 2}
    random = Random(f"cuts of {length} bytes")
    at |= {random.randrange(length) for _ in range(seeded)}
    return sorted(place for place in at if 0 <= place <= length)


@pytest.mark.parametrize("checkpoint_pages", [1000, 7], ids=["one log", "log written back"])
def test_a_crash_in_an_append_loses_that_append_alone(
    disk: Disk, checkpoint_pages: int, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes: Counter[str] = Counter()
    states = disk.states(checkpoint_pages)
    for before, after in pairwise(states):
        if before.database != after.database or len(after.log) < len(before.log):
            continue  # written back or begun anew: the two logs are not of one piece
        first = next(
            (n for n, (a, b) in enumerate(zip(before.log, after.log, strict=False)) if a != b),
            len(before.log),
        )
        for at in places(len(after.log)):
            if at < first:
                continue
            torn = after.log[:at] + before.log[at:]
            loaded = disk.loaded(before.database, torn, before.mark)
            assert loaded in (HISTORY[: before.count], HISTORY[: after.count])
            assert disk.goes_on() == [*loaded, MORE]
            outcomes["whole" if len(loaded) == after.count else "dropped"] += 1
    assert outcomes["dropped"] > 20
    assert outcomes["whole"] >= 5
    with capsys.disabled():
        print(f"\nsqlite: {outcomes.total()} torn appends, {outcomes['dropped']} dropped alone")


def test_a_crash_while_the_log_is_written_back_loses_nothing(
    disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    """Any of the pages may have reached the database; the log is still there."""
    states, count = disk.states(7), 0
    random = Random("written back")
    for before, after in pairwise(states):
        if before.database == after.database:
            continue
        pages = range(0, len(after.database), PAGE_BYTES)
        for _ in range(20):
            kept = {page for page in pages if random.random() < 0.5}
            database = b"".join(
                (before if page in kept else after)
                .database[page : page + PAGE_BYTES]
                .ljust(PAGE_BYTES, b"\0")
                for page in pages
            )
            assert disk.loaded(database, after.log, before.mark) == HISTORY[: after.count]
            count += 1
    assert count >= 60
    with capsys.disabled():
        print(f"\nsqlite: {count} crashes while the log was written back, nothing lost")


def harmed(disk: Disk, state: State, *, database: bytes = b"", log: bytes = b"") -> str:
    """`whole` or `named`; anything else fails."""
    try:
        loaded = disk.loaded(database or state.database, log, state.mark)
    except JournalDamaged as damaged:
        return "named" if damaged.record is not None else "unreadable"
    assert loaded == HISTORY
    return "whole"


def test_a_log_that_is_cut_anywhere_is_named(
    disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every frame border, one byte beside it, and 1,000 seeded places."""
    state = disk.states(1000)[-1]
    cuts = places(len(state.log), seeded=1000)
    outcomes = Counter(harmed(disk, state, log=state.log[:at]) for at in cuts)
    borders = (len(state.log) - LOG_HEAD_BYTES) // FRAME_BYTES
    assert borders > 30
    assert outcomes["whole"] == 1  # the cut at its very end
    assert outcomes["named"] == len(cuts) - 1
    with capsys.disabled():
        print(
            f"\nsqlite: a log of {borders} frames cut at {len(cuts)} places,"
            f" {outcomes['named']} named with their position, {outcomes['whole']} whole"
        )


@pytest.mark.parametrize("what", ["bits flipped", "zeros to the end", "pages zeroed"])
def test_a_log_that_is_damaged_anywhere_loses_nothing_silently(
    disk: Disk, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    state = disk.states(1000)[-1]
    random = Random(what)
    outcomes: Counter[str] = Counter()
    for at in places(len(state.log) - 1, seeded=600):
        log = bytearray(state.log)
        match what:
            case "bits flipped":
                log[at] ^= 1 << random.randrange(8)
            case "zeros to the end":
                log[at:] = bytes(len(log) - at)
            case _:
                log[at : at + 512] = bytes(len(log[at : at + 512]))
        outcomes[harmed(disk, state, log=bytes(log))] += 1
    assert outcomes["named"] > 300
    with capsys.disabled():
        print(f"\nsqlite: log with {what} at {outcomes.total()} places: {dict(outcomes)}")


def test_a_database_that_is_damaged_anywhere_loses_nothing_silently(
    disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    """The log is written back and gone, as after a good end of the process."""
    path = disk.states(1000) and disk.path
    database, mark = path.read_bytes(), Path(f"{path}{SUFFIX}").read_bytes()
    state = State(database, b"", mark, len(HISTORY))
    random = Random("the database")
    outcomes: Counter[str] = Counter()
    for at in sorted(random.sample(range(len(database)), 600)):
        flipped = bytearray(database)
        flipped[at] ^= 1 << random.randrange(8)
        outcomes[harmed(disk, state, database=bytes(flipped))] += 1
    assert outcomes["named"] > 200
    with capsys.disabled():
        print(f"\nsqlite: {outcomes.total()} bits flipped in the database: {dict(outcomes)}")
