"""One suite for every journal: what `journal.port` promises, asked of each store."""

from __future__ import annotations

import errno
import os
import resource
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from faultloop.loop.events import TurnEnded, TurnStarted
from faultloop.loop.journal.port import (
    JournalDamaged,
    JournalTrouble,
    JournalUnusable,
    LeaseLost,
    encode,
)

from .stores import ALL, EVENTS, IN_FILES, Store, made, said


@pytest.fixture(params=ALL, ids=lambda kind: kind.__name__)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with made(request.param, tmp_path) as store:
        yield store


@pytest.fixture(params=IN_FILES, ids=lambda kind: kind.__name__)
def in_files(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with made(request.param, tmp_path) as store:
        yield store


# --- appending and loading --------------------------------------------------------------------


def test_a_new_journal_is_empty(store: Store) -> None:
    assert store.open().load() == []


def test_what_was_appended_is_loaded_byte_for_byte_after_a_restart(store: Store) -> None:
    store.fill()
    loaded = store.open().load()
    assert loaded == EVENTS
    assert [encode(event) for event in loaded] == [encode(event) for event in EVENTS]


def test_events_appended_together_are_loaded_one_by_one(store: Store) -> None:
    journal = store.open()
    journal.append(*EVENTS[:3])
    journal.append(EVENTS[3])
    assert journal.load() == store.open().load() == EVENTS


def test_loading_changes_nothing(store: Store) -> None:
    store.fill()
    journal = store.open()
    assert journal.load() == journal.load() == store.open().load() == EVENTS


def test_appending_goes_on_after_a_restart_whether_or_not_it_was_loaded(store: Store) -> None:
    store.fill()
    store.open().append(TurnStarted(turn=2))
    third = store.open()
    third.load()
    third.append(TurnEnded(turn=2, end_reason="error"))
    assert store.open().load() == [
        *EVENTS,
        TurnStarted(turn=2),
        TurnEnded(turn=2, end_reason="error"),
    ]


def test_appending_nothing_is_nothing(store: Store) -> None:
    journal = store.open()
    journal.append()
    assert journal.load() == []
    journal.append(EVENTS[0])
    journal.append()
    assert store.open().load() == EVENTS[:1]


def test_a_huge_event_is_kept_like_any_other(store: Store) -> None:
    huge = said(1, "ä" * 5_000_000)
    journal = store.open()
    journal.append(EVENTS[0], huge)
    journal.append(EVENTS[1])
    assert store.open().load() == [EVENTS[0], huge, EVENTS[1]]


@pytest.mark.parametrize(
    "text", ["", "\x00", "\u2028\r\n", "\U0001f600", "e\u0301", '"\\', "\ufeff"]
)
def test_every_text_is_kept_as_it_is(store: Store, text: str) -> None:
    store.open().append(said(1, text))
    assert store.open().load() == [said(1, text)]


def test_half_a_character_is_refused_before_anything_is_written(store: Store) -> None:
    store.fill()
    journal = store.open()
    with pytest.raises(ValueError, match="surrogates not allowed"):
        journal.append(TurnStarted(turn=2), said(2, "\ud83d"))
    assert store.open().load() == EVENTS
    journal.append(TurnStarted(turn=2))
    assert store.open().load() == [*EVENTS, TurnStarted(turn=2)]


def test_an_event_that_could_not_be_read_back_is_refused_before_anything_is_written(
    store: Store,
) -> None:
    store.fill()
    journal = store.open()
    wrong: Any = "banana"
    with pytest.raises(ValueError, match=r"TurnEnded could not be read back: Invalid enum value"):
        journal.append(TurnStarted(turn=2), TurnEnded(turn=2, end_reason=wrong))
    assert store.open().load() == EVENTS


def test_closing_twice_is_fine(store: Store) -> None:
    journal = store.open()
    journal.close()
    journal.close()


# --- damage -----------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_changed_record_is_noticed_with_its_position(store: Store, position: int) -> None:
    store.fill()
    store.change(position)
    with pytest.raises(JournalDamaged) as raised:
        store.open().load()
    assert raised.value.record == position
    assert f"record {position}" in str(raised.value)


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_missing_record_in_the_middle_is_noticed_with_its_position(
    store: Store, position: int
) -> None:
    store.fill()
    store.drop(position)
    with pytest.raises(JournalDamaged) as raised:
        store.open().load()
    assert raised.value.record == position


def test_nothing_is_appended_to_a_damaged_journal(store: Store) -> None:
    store.fill()
    store.change(1)
    with pytest.raises(JournalDamaged):
        store.open().append(TurnStarted(turn=2))


@pytest.mark.parametrize("damage", ["change", "drop"])
def test_a_last_record_that_was_acknowledged_is_missed(in_files: Store, damage: str) -> None:
    in_files.fill()
    getattr(in_files, damage)(3)
    with pytest.raises(JournalDamaged) as raised:
        in_files.open().load()
    assert raised.value.record == 3


# --- two handles ------------------------------------------------------------------------------


def test_a_second_writer_is_told_so_and_loses_nothing_of_the_first(in_files: Store) -> None:
    first, second = in_files.open(), in_files.open()
    second.load()
    first.append(EVENTS[0])
    with pytest.raises(JournalUnusable, match="another process has written to it since"):
        second.append(EVENTS[1])
    assert first.load() == second.load() == EVENTS[:1]
    second.append(EVENTS[1])  # it has read it again, so it knows what it is doing
    assert first.load() == EVENTS[:2]


def test_a_reader_is_never_in_the_way_of_the_writer(store: Store) -> None:
    writer, reader = store.open(), store.open()
    for count, event in enumerate(EVENTS, 1):
        writer.append(event)
        assert reader.load() == EVENTS[:count]


def test_whoever_was_fenced_out_writes_nothing_more(in_files: Store) -> None:
    first: Any = in_files.open()
    second: Any = in_files.open()
    assert first.fenced == 0
    first.fence(1)
    first.append(*EVENTS[:2])
    second.fence(2)
    assert second.load() == EVENTS[:2]
    for _ in range(2):
        with pytest.raises(LeaseLost, match=r"its fence is at 2, and this one came with 1"):
            first.append(EVENTS[2])
    with pytest.raises(LeaseLost):
        first.fence(1)
    second.append(EVENTS[2])
    third: Any = in_files.open()
    assert (third.fenced, third.load()) == (2, EVENTS[:3])


def test_a_fence_outlives_the_process_that_put_it_up(in_files: Store) -> None:
    first: Any = in_files.open()
    first.fence(41)
    first.close()
    second: Any = in_files.open()
    with pytest.raises(LeaseLost):
        second.fence(40)
    second.fence(41)
    second.append(EVENTS[0])
    assert second.load() == EVENTS[:1]


def test_only_its_owner_may_read_what_was_said(in_files: Store) -> None:
    journal: Any = in_files.open()
    journal.append(*EVENTS)
    files = list(journal.path.parent.iterdir())
    assert len(files) >= 2
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


# --- trouble with the place -------------------------------------------------------------------


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """What a full disk does, as far as a process without rights can stage it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_an_append_that_failed_leaves_nothing_and_the_next_one_works(in_files: Store) -> None:
    journal = in_files.open()
    journal.append(EVENTS[0])
    with files_no_larger_than(100_000), pytest.raises(JournalUnusable) as raised:
        journal.append(EVENTS[1], said(1, "x" * 300_000))
    assert str(raised.value).count("cannot be used") == 1
    assert in_files.open().load() == EVENTS[:1]
    journal.append(EVENTS[1])
    assert in_files.open().load() == EVENTS[:2]


def test_a_journal_that_was_closed_says_so(in_files: Store) -> None:
    journal = in_files.open()
    journal.append(EVENTS[0])
    journal.close()
    with pytest.raises(JournalUnusable, match="it was closed before"):
        journal.append(EVENTS[1])
    with pytest.raises(JournalUnusable, match="it was closed before"):
        journal.load()


def test_a_journal_that_was_closed_has_no_fence_to_put_up(in_files: Store) -> None:
    journal: Any = in_files.open()
    journal.fence(1)
    journal.close()
    with pytest.raises(JournalUnusable, match="it was closed before"):
        journal.fence(2)
    with pytest.raises(JournalUnusable, match="it was closed before"):
        _ = journal.fenced


def test_a_journal_that_was_removed_takes_nothing_more(in_files: Store) -> None:
    journal: Any = in_files.open()
    journal.append(EVENTS[0])
    journal.path.rename(journal.path.with_suffix(".moved"))
    with pytest.raises(JournalUnusable, match="it was removed or replaced while it was open"):
        journal.append(EVENTS[1])


@contextmanager
def without_rights() -> Iterator[Path]:
    """A folder in which nobody may write, seen by somebody who is not root."""
    with tempfile.TemporaryDirectory(dir="/tmp") as made:
        folder, is_root = Path(made), os.geteuid() == 0
        folder.chmod(0o555)
        if is_root:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            if is_root:
                os.seteuid(0)
            folder.chmod(0o755)


@pytest.mark.parametrize("kind", IN_FILES, ids=lambda kind: kind.__name__)
def test_a_folder_that_cannot_be_written_is_one_sentence(kind: Any) -> None:
    with without_rights() as folder, pytest.raises(JournalUnusable) as raised:
        kind(folder).make()
    said = str(raised.value)
    assert str(folder) in said
    assert "this process m" in said  # may not use it; must be allowed to
    assert "\n" not in said


@pytest.mark.parametrize("kind", IN_FILES, ids=lambda kind: kind.__name__)
def test_a_place_that_cannot_hold_a_journal_is_named(kind: Any, tmp_path: Path) -> None:
    missing = tmp_path / "no such folder"
    with pytest.raises(JournalUnusable, match="Its folder must exist") as raised:
        kind(missing).make()
    assert str(missing) in str(raised.value)
    taken = kind(tmp_path)
    for name in ("journal.sqlite", "journal.jsonl"):
        (tmp_path / name).mkdir()
    with pytest.raises(JournalUnusable, match="it must be a file"):
        taken.make()


@pytest.mark.parametrize("kind", IN_FILES, ids=lambda kind: kind.__name__)
def test_a_mark_that_cannot_be_opened_is_named(kind: Any, tmp_path: Path) -> None:
    for name in ("journal.sqlite.mark", "journal.jsonl.mark"):
        (tmp_path / name).mkdir()
    with pytest.raises(JournalUnusable, match=r"journal\.\w+\.mark"):
        kind(tmp_path).make()


@pytest.mark.parametrize("kind", IN_FILES, ids=lambda kind: kind.__name__)
def test_a_mark_that_cannot_be_written_does_not_undo_what_is_durable(
    kind: Any, tmp_path: Path
) -> None:
    def full(mark: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with made(kind, tmp_path) as store:
        journal: Any = store.open()
        journal._mark.write = full
        for event in EVENTS:
            journal.append(event)
        assert journal.load() == store.open().load() == EVENTS


def test_trouble_of_every_kind_is_one_family() -> None:
    assert {JournalUnusable, JournalDamaged, LeaseLost} == set(JournalTrouble.__subclasses__())
