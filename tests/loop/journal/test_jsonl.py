"""What is JSONL's own: its lock, its fence's file, and trouble of the operating system."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

from faultloop.loop.journal import jsonl, lines
from faultloop.loop.journal.jsonl import FENCE_SUFFIX, JsonlJournal
from faultloop.loop.journal.port import JournalDamaged, JournalUnusable

from .stores import EVENTS


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


@pytest.fixture
def journal(file: Path) -> Iterator[JsonlJournal]:
    with closing(JsonlJournal(file)) as journal:
        yield journal


@pytest.fixture
def second(file: Path, journal: JsonlJournal) -> Iterator[JsonlJournal]:
    with closing(JsonlJournal(file)) as second:
        yield second


def failing(*given: object) -> NoReturn:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_an_append_is_one_write_and_one_sync_before_it_returns(
    journal: JsonlJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    write, sync = os.pwrite, jsonl.SYNC

    def wrote(file: int, data: bytes, offset: int) -> int:
        done.append("mark" if len(data) < 20 else "write")
        return write(file, data, offset)

    def synced(file: int) -> None:
        done.append("sync")
        sync(file)

    monkeypatch.setattr(os, "pwrite", wrote)
    monkeypatch.setattr(jsonl, "SYNC", synced)
    journal.append(*EVENTS)
    assert done == ["write", "sync", "mark"]


def test_a_disk_that_takes_a_little_at_a_time_gets_all_of_it(
    journal: JsonlJournal, second: JsonlJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda file, data, at: write(file, data[:7], at))
    journal._mark.write = lambda mark: None  # type: ignore[method-assign]
    journal.append(*EVENTS)
    assert second.load() == EVENTS


def test_an_append_whose_sync_failed_is_cut_off_again(
    journal: JsonlJournal, second: JsonlJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.append(EVENTS[0])
    with monkeypatch.context() as patched:
        patched.setattr(jsonl, "SYNC", failing)
        with pytest.raises(JournalUnusable, match="the disk failed"):
            journal.append(EVENTS[1])
    assert second.load() == EVENTS[:1]
    journal.append(EVENTS[1])
    assert second.load() == EVENTS[:2]


def test_a_journal_that_cannot_be_read_is_the_places_fault(
    journal: JsonlJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "pread", failing)
    with pytest.raises(JournalUnusable, match="the disk failed"):
        journal.load()


def test_a_writer_that_finds_the_journal_locked_is_told_so_at_once(
    journal: JsonlJournal, second: JsonlJournal
) -> None:
    with journal._locked(), pytest.raises(JournalUnusable, match="another process is writing"):
        second.append(EVENTS[0])
    second.append(EVENTS[0])


def test_a_fence_that_a_power_cut_has_torn_keeps_nobody_out(
    file: Path, journal: JsonlJournal
) -> None:
    Path(f"{file}{FENCE_SUFFIX}").write_bytes(b"\0" * 21)
    assert journal.fenced == 0
    journal.fence(1)
    assert journal.fenced == 1


def test_a_fence_that_cannot_be_kept_is_the_places_fault(
    file: Path, journal: JsonlJournal, second: JsonlJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(jsonl, "SYNC", failing)
        with pytest.raises(JournalUnusable, match="the disk failed"):
            journal.fence(1)
    Path(f"{file}{FENCE_SUFFIX}").unlink()
    Path(f"{file}{FENCE_SUFFIX}").mkdir()
    with pytest.raises(JournalUnusable, match="it must be a file"):
        _ = second.fenced


def test_whole_lines_that_hold_no_events_are_damage_with_their_place(file: Path) -> None:
    first, crc = lines.written([b'{"type":"turn_started","turn":1}'], 0)
    second, _ = lines.written([b'{"type":"of another version"}'], crc)
    file.write_bytes(first + second)
    with closing(JsonlJournal(file)) as journal:
        with pytest.raises(JournalDamaged, match=r"record 1 of .* holds no events") as raised:
            journal.load()
        assert raised.value.record == 1
