"""JSONL torn and damaged at every byte: never a shorter history, never a wrong event.

Two questions are asked of each kind of harm. A crash in the middle of the last append, with the
mark as it was before: everything acknowledged is there, and the journal goes on. Harm to what was
acknowledged, with the mark as it is: all of it is there, or the harm is named with its position.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from faultloop.loop.events import AnyEvent
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.mark import SUFFIX
from faultloop.loop.journal.port import JournalDamaged

from .stores import EVENTS, said

APPENDS: list[list[AnyEvent]] = [EVENTS[:3], [EVENTS[3]], [said(2, "ü" * 50), said(3)], [said(4)]]
HISTORY = [event for append in APPENDS for event in append]
MORE = said(99)


class Written:
    """The file and its mark after each append."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.jsonl"
        self.mark_path = Path(f"{self.path}{SUFFIX}")
        self.states: list[tuple[bytes, bytes, int]] = []
        """File, mark, and how many events are acknowledged."""
        count = 0
        with closing(JsonlJournal(self.path)) as journal:
            for append in ([], *APPENDS):
                journal.append(*append)
                count += len(append)
                self.states.append((self.path.read_bytes(), self.mark_path.read_bytes(), count))
        self.all, self.mark, _ = self.states[-1]

    def loaded(self, data: bytes, mark: bytes) -> list[AnyEvent]:
        """What a start makes of these files."""
        self.path.write_bytes(data)
        self.mark_path.write_bytes(mark)
        with closing(JsonlJournal(self.path)) as journal:
            return journal.load()

    def goes_on(self) -> list[AnyEvent]:
        """The history after one more append, as the next start sees it."""
        with closing(JsonlJournal(self.path)) as journal:
            journal.append(MORE)
        with closing(JsonlJournal(self.path)) as journal:
            return journal.load()


@pytest.fixture(scope="module")
def written() -> Iterator[Written]:
    """In memory where there is such a place: thousands of syncs are not what is tested."""
    shm = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None) as folder:
        yield Written(Path(folder))


Harm = Callable[[bytes, int], bytes]

HARMS: dict[str, Harm] = {
    "cut": lambda data, at: data[:at],
    "zeros to the end": lambda data, at: data[:at] + bytes(len(data) - at),
    "a zeroed byte": lambda data, at: data[:at] + b"\0" + data[at + 1 :],
    "a lost byte": lambda data, at: data[:at] + data[at + 1 :],
    **{
        f"bit {bit} flipped": lambda data, at, bit=bit: (  # type: ignore[misc]
            data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
        )
        for bit in range(8)
    },
}


def test_a_crash_in_an_append_loses_that_append_alone(
    written: Written, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cut, or filled with zeros, at every byte of every append; the mark is the one before."""
    outcomes: Counter[str] = Counter()
    for (before, mark, count), (after, _, more) in pairwise(written.states):
        for at in range(len(before), len(after) + 1):
            for torn in {after[:at], after[:at] + bytes(len(after) - at)}:
                loaded = written.loaded(torn, mark)
                assert loaded in (HISTORY[:count], HISTORY[:more])
                assert (loaded == HISTORY[:more]) == (torn == after)
                assert written.goes_on() == [*loaded, MORE]
                outcomes["whole" if torn == after else "dropped"] += 1
    assert outcomes["whole"] == len(APPENDS)
    with capsys.disabled():
        print(f"\njsonl: {outcomes.total()} torn appends, {outcomes['dropped']} dropped alone")


@pytest.mark.parametrize("harm", HARMS)
def test_harm_to_what_was_acknowledged_is_named(
    written: Written, harm: str, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = 0
    starts = [len(before) for before, _, _ in written.states]
    for at in range(len(written.all)):
        data = HARMS[harm](written.all, at)
        record = next(n for n, start in enumerate(starts[1:]) if at < start)
        if data == written.all:
            continue
        with pytest.raises(JournalDamaged) as raised:
            written.loaded(data, written.mark)
        assert raised.value.record == record
        assert raised.value.offset == starts[record]
        damaged += 1
    assert damaged > len(written.all) * 0.9
    with capsys.disabled():
        print(f"\njsonl: {harm} at {damaged} places, all named with their position")


@pytest.mark.parametrize("harm", HARMS)
def test_without_its_mark_only_the_last_append_can_be_taken_for_torn(
    written: Written, harm: str
) -> None:
    """A copy that left the mark behind. What stands before the last append is still protected."""
    last = len(written.states[-2][0])
    for at in range(len(written.all)):
        data = HARMS[harm](written.all, at)
        if data == written.all:
            continue
        try:
            loaded = written.loaded(data, b"")
        except JournalDamaged:
            assert at < last
            continue
        whole = [HISTORY[:count] for _, _, count in written.states]
        assert loaded in whole
        assert at >= last or harm in ("cut", "zeros to the end")
