"""One conformance suite for every journal, and how each kind of damage is met."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from faultloop.loop.events import AnyEvent, InputClaimed, InputQueued, TurnEnded, TurnStarted
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.journal.port import Journal, JournalDamaged, JournalUnusable, encode
from faultloop.loop.journal.sqlite import MARK_SUFFIX, Mark, SqliteJournal

FULL = 2
"""SQLite's number for `synchronous=FULL`."""

EVENTS: list[AnyEvent] = [
    InputQueued(id="i1", lane="next_turn", source="user", text="Grüße, 世界\n"),
    TurnStarted(turn=1),
    InputClaimed(turn=1, id="i1"),
    TurnEnded(turn=1, end_reason="completed"),
]


@dataclass
class Store:
    """A store under test: `open` it as often as a session restarts, and damage it between."""

    open: Callable[[], Journal]
    change: Callable[[int], None]
    """Flip something in this record."""
    drop: Callable[[int], None]
    """Remove this record."""


def memory(path: Path) -> Store:
    store: list[bytes] = []

    def change(position: int) -> None:
        store[position] = store[position][:-3] + b"???"

    return Store(
        open=lambda: MemoryJournal(store), change=change, drop=lambda position: store.pop(position)
    )


def sqlite(path: Path) -> Store:
    file = path / "journal.sqlite"

    def execute(sql: str, position: int) -> None:
        db = sqlite3.connect(file)
        db.execute(sql, (position,))
        db.commit()
        db.close()

    return Store(
        open=lambda: SqliteJournal(file),
        change=lambda n: execute(
            "UPDATE journal SET event = CAST(event || x'20' AS BLOB) WHERE position = ?", n
        ),
        drop=lambda n: execute("DELETE FROM journal WHERE position = ?", n),
    )


@pytest.fixture(params=[memory, sqlite], ids=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = request.param(tmp_path)
    opened: list[Journal] = []
    plain = made.open

    def kept() -> Journal:
        opened.append(plain())
        return opened[-1]

    made.open = kept
    yield made
    for journal in opened:
        journal.close()


def filled(store: Store) -> None:
    journal = store.open()
    journal.append(*EVENTS[:2])
    for event in EVENTS[2:]:
        journal.append(event)
    journal.close()


# --- conformance ------------------------------------------------------------------------------


def test_a_new_journal_is_empty(store: Store) -> None:
    assert store.open().load() == []


def test_what_was_appended_is_loaded_byte_for_byte_after_a_restart(store: Store) -> None:
    filled(store)
    loaded = store.open().load()
    assert loaded == EVENTS
    assert [encode(event) for event in loaded] == [encode(event) for event in EVENTS]


def test_appending_goes_on_after_a_restart_whether_or_not_it_was_loaded(store: Store) -> None:
    filled(store)
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


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_changed_record_is_noticed(store: Store, position: int) -> None:
    filled(store)
    store.change(position)
    with pytest.raises(JournalDamaged):
        store.open().load()


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_missing_record_in_the_middle_is_noticed(store: Store, position: int) -> None:
    filled(store)
    store.drop(position)
    with pytest.raises(JournalDamaged):
        store.open().load()


def test_nothing_is_appended_to_a_damaged_journal(store: Store) -> None:
    filled(store)
    store.change(1)
    with pytest.raises(JournalDamaged):
        store.open().append(TurnStarted(turn=2))


def test_an_event_that_could_not_be_read_back_is_refused_before_anything_is_written(
    store: Store,
) -> None:
    filled(store)
    journal = store.open()
    wrong: Any = "banana"
    with pytest.raises(ValueError, match=r"TurnEnded could not be read back: Invalid enum value"):
        journal.append(TurnStarted(turn=2), TurnEnded(turn=2, end_reason=wrong))
    assert store.open().load() == EVENTS


def test_closing_twice_is_fine(store: Store) -> None:
    journal = store.open()
    journal.close()
    journal.close()


# --- in memory --------------------------------------------------------------------------------


def test_a_torn_last_record_is_lost_alone_and_written_over() -> None:
    store: list[bytes] = []
    MemoryJournal(store).append(*EVENTS)
    for length in range(len(store[-1])):
        torn = [*store[:-1], store[-1][:length]]
        journal = MemoryJournal(torn)
        assert journal.load() == EVENTS[:-1]
        journal.append(EVENTS[-1])
        assert torn == store


# --- in a file --------------------------------------------------------------------------------


def test_a_lost_end_is_noticed_by_the_mark(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    filled(store)
    store.drop(3)
    with pytest.raises(JournalDamaged, match="holds 3 records, but 4 were acknowledged"):
        store.open().load()


def test_a_lost_write_ahead_log_is_noticed_by_the_mark(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.append(*EVENTS)
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(file.read_bytes())  # without its -wal, as a careless backup does it
    Path(f"{copy}{MARK_SUFFIX}").write_bytes(Path(f"{file}{MARK_SUFFIX}").read_bytes())
    journal.close()
    with pytest.raises(JournalDamaged, match="holds 0 records, but 4 were acknowledged"):
        SqliteJournal(copy).load()


def test_a_cut_write_ahead_log_is_noticed_wherever_it_is_cut(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    for event in EVENTS:
        journal.append(event)
    log = Path(f"{file}-wal").read_bytes()
    database, mark = file.read_bytes(), Path(f"{file}{MARK_SUFFIX}").read_bytes()
    journal.close()
    for number, length in enumerate(range(0, len(log), 1009)):
        copy = tmp_path / f"{number}.sqlite"
        copy.write_bytes(database)
        Path(f"{copy}-wal").write_bytes(log[:length])
        Path(f"{copy}{MARK_SUFFIX}").write_bytes(mark)
        cut = SqliteJournal(copy)
        with pytest.raises(JournalDamaged):
            cut.load()
        cut.close()


def test_a_mark_that_lags_behind_or_is_gone_raises_no_alarm(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.append(*EVENTS[:2])
    mark = Path(f"{file}{MARK_SUFFIX}")
    early = mark.read_bytes()
    journal.append(*EVENTS[2:])
    journal.close()
    for content in (early, b"", b"rubbish that is no mark"):
        mark.write_bytes(content)
        journal = SqliteJournal(file)
        assert journal.load() == EVENTS
        journal.close()


def test_a_file_that_is_no_journal_is_damage(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    file.write_bytes(b"this is a letter to my aunt" * 100)
    with pytest.raises(JournalDamaged, match="is no journal"):
        SqliteJournal(file)


def test_a_journal_is_durable_before_append_returns(tmp_path: Path) -> None:
    """A power cut cannot be played here; what SQLite needs to survive one can be asked for."""
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    settings = {
        name: journal._db.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous")
    }
    assert settings == {"journal_mode": "wal", "synchronous": FULL}
    journal.append(EVENTS[0])
    assert not journal._db.in_transaction
    other = SqliteJournal(file)
    assert other.load() == EVENTS[:1]
    other.close()
    journal.close()


# --- trouble with the place -------------------------------------------------------------------


def test_a_mark_that_cannot_be_written_does_not_undo_what_is_durable(tmp_path: Path) -> None:
    class NoMark(SqliteJournal):
        def _write_mark(self, mark: Mark) -> None:
            raise OSError(28, "No space left on device")

    file = tmp_path / "journal.sqlite"
    journal = NoMark(file)
    for event in EVENTS:
        journal.append(event)
    assert journal.load() == EVENTS
    journal.close()
    journal = SqliteJournal(file)
    assert journal.load() == EVENTS
    journal.close()


def test_a_second_writer_is_told_so_and_loses_nothing_of_the_first(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    first, second = SqliteJournal(file), SqliteJournal(file)
    second.load()
    first.append(EVENTS[0])
    with pytest.raises(JournalUnusable, match="another process has written to it"):
        second.append(EVENTS[0])
    assert first.load() == second.load() == EVENTS[:1]
    first.close()
    second.close()


def test_a_writer_that_finds_the_journal_locked_is_told_so(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    first, second = SqliteJournal(file), SqliteJournal(file)
    second.load()
    second._db.execute("PRAGMA busy_timeout=1")
    first._db.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalUnusable, match="another process is writing to it"):
        second.append(EVENTS[0])
    first.close()
    second.close()


def test_a_full_disk_is_told_so_and_loses_nothing(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    journal.append(EVENTS[0])
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages}")
    huge = InputQueued(id="i2", lane="next_turn", source="user", text="x" * 100_000)
    with pytest.raises(JournalUnusable, match="the disk is full"):
        journal.append(huge)
    journal._db.execute("PRAGMA max_page_count=1000000")
    journal.append(huge)
    assert journal.load() == [EVENTS[0], huge]
    journal.close()


def test_a_place_that_cannot_hold_a_journal_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "folder.sqlite", tmp_path):
        with pytest.raises(JournalUnusable, match="Its folder must exist") as raised:
            SqliteJournal(path)
        assert str(path) in str(raised.value)


def test_a_mark_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    Path(f"{file}{MARK_SUFFIX}").mkdir()
    with pytest.raises(JournalUnusable, match=r"its mark .* cannot be opened"):
        SqliteJournal(file)


def test_a_journal_that_was_closed_says_so(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    journal.close()
    with pytest.raises(JournalUnusable, match="it was closed before"):
        journal.append(EVENTS[0])


def test_content_that_cannot_be_decoded_is_damage_and_not_the_places_fault(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    for number in range(200):
        journal.append(InputQueued(id=f"i{number}", lane="next_turn", source="user", text="x"))
    journal.close()
    whole, noticed = file.read_bytes(), 0
    for position in range(8_200, len(whole), 997):
        file.write_bytes(whole[:position] + b"\xff" * 16 + whole[position + 16 :])
        damaged = SqliteJournal(file)
        try:
            assert len(damaged.load()) == 200  # it hit a place where nothing is kept
        except JournalDamaged:
            noticed += 1
        finally:
            damaged.close()
    assert noticed > 10
