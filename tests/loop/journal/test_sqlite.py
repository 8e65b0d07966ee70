"""What is SQLite's own: its settings, its locks, and damage that it does not see itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from faultloop.loop.journal.mark import SUFFIX
from faultloop.loop.journal.port import JournalDamaged, JournalUnusable, chained
from faultloop.loop.journal.sqlite import SqliteJournal

from .stores import EVENTS, said

FULL = 2
"""SQLite's number for `synchronous=FULL`."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(file: Path) -> Iterator[SqliteJournal]:
    with closing(SqliteJournal(file)) as journal:
        yield journal


@pytest.fixture
def second(file: Path, journal: SqliteJournal) -> Iterator[SqliteJournal]:
    with closing(SqliteJournal(file)) as second:
        yield second


def test_a_journal_is_durable_before_append_returns(
    journal: SqliteJournal, second: SqliteJournal
) -> None:
    """A power cut cannot be played here; what SQLite needs to survive one can be asked for."""
    settings = {
        name: journal._db.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous")
    }
    assert settings == {"journal_mode": "wal", "synchronous": FULL}
    journal.append(EVENTS[0])
    assert not journal._db.in_transaction
    assert second.load() == EVENTS[:1]


def test_a_lost_write_ahead_log_is_noticed_by_the_mark(
    file: Path, journal: SqliteJournal, tmp_path: Path
) -> None:
    journal.append(*EVENTS)
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(file.read_bytes())  # without its -wal, as a careless backup does it
    Path(f"{copy}{SUFFIX}").write_bytes(Path(f"{file}{SUFFIX}").read_bytes())
    holds = pytest.raises(JournalDamaged, match="holds 0 records, but 4 were acknowledged")
    with closing(SqliteJournal(copy)) as careless, holds as raised:
        careless.load()
    assert raised.value.record == 0


def test_a_file_that_is_no_journal_is_damage(file: Path) -> None:
    file.write_bytes(b"this is a letter to my aunt" * 100)
    with pytest.raises(JournalDamaged, match="is no journal"):
        SqliteJournal(file)


def test_a_path_that_is_too_long_for_sqlite_is_told_so(tmp_path: Path) -> None:
    """The system takes paths several times as long."""
    folder = tmp_path.joinpath(*["f" * 100] * 6)
    folder.mkdir(parents=True)
    with pytest.raises(JournalUnusable, match="it cannot be opened"):
        SqliteJournal(folder / "journal.sqlite")


def test_a_writer_that_finds_the_journal_locked_is_told_so(
    journal: SqliteJournal, second: SqliteJournal
) -> None:
    second.load()
    second._db.execute("PRAGMA busy_timeout=1")
    journal._db.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalUnusable, match="another process is writing to it"):
        second.append(EVENTS[0])


def test_a_full_disk_is_told_so_and_loses_nothing(journal: SqliteJournal) -> None:
    journal.append(EVENTS[0])
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages}")
    huge = said(2, "x" * 100_000)
    with pytest.raises(JournalUnusable, match="the disk is full"):
        journal.append(huge)
    journal._db.execute("PRAGMA max_page_count=1000000")
    journal.append(huge)
    assert journal.load() == [EVENTS[0], huge]


def test_content_that_cannot_be_decoded_is_damage_with_its_place(file: Path) -> None:
    history = [said(number) for number in range(200)]
    with closing(SqliteJournal(file)) as journal:
        for event in history:
            journal.append(event)
    whole, noticed = file.read_bytes(), 0
    for position in range(8_200, len(whole), 997):
        file.write_bytes(whole[:position] + b"\xff" * 16 + whole[position + 16 :])
        with closing(SqliteJournal(file)) as damaged:
            try:
                assert damaged.load() == history  # it hit a place where nothing is kept
            except JournalDamaged as error:
                noticed += error.record is not None
    assert noticed > 10


@pytest.mark.parametrize("value", ["5", "'text'", "NULL"])
def test_a_column_of_another_type_is_damage_and_no_crash(
    journal: SqliteJournal, second: SqliteJournal, value: str
) -> None:
    """STRICT is about writing; damage to a row's header gives a column any type."""
    for event in EVENTS:
        journal.append(event)
    second._db.execute("CREATE TABLE loose (position INTEGER PRIMARY KEY, crc, event)")
    second._db.execute("INSERT INTO loose SELECT * FROM journal")
    second._db.execute("DROP TABLE journal")
    second._db.execute("ALTER TABLE loose RENAME TO journal")
    second._db.execute(f"UPDATE journal SET event = {value} WHERE position = 2")
    with pytest.raises(JournalDamaged, match=r"record 2 of .* fails its checksum"):
        second.load()


def test_a_row_that_holds_no_event_is_damage_with_its_place(
    journal: SqliteJournal, second: SqliteJournal
) -> None:
    journal.append(EVENTS[0])
    (crc,) = second._db.execute("SELECT crc FROM journal").fetchone()
    body = b'{"type":"of another version"}'
    second._db.execute("INSERT INTO journal VALUES (1, ?, ?)", (chained(body, crc), body))
    with pytest.raises(JournalDamaged, match="record 1 of the journal is no event") as raised:
        second.load()
    assert raised.value.record == 1
