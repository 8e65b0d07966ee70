"""A journal in one SQLite file, for sessions that outlive their process.

WAL with synchronous=FULL: an append returns after its frames are on the disk, and a torn write is
rolled back whole when the file is opened again. What SQLite cannot tell us is that *more* is
missing: a WAL that is damaged in the middle, or was left behind by a copy, opens without complaint
as an earlier, shorter history. Hence two checks of our own: a CRC chained from row to row, and a
high-water mark in a small file beside the database, outside the WAL. The mark is written after the
commit that it counts and is not synced, so it may lag behind after a power cut, but it never leads:
if it names a record that is not there, that record was acknowledged and is lost.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from faultloop.loop.events import AnyEvent
from faultloop.loop.journal.port import (
    JournalDamaged,
    JournalTrouble,
    JournalUnusable,
    chained,
    decode,
    encode,
)

MARK_SUFFIX = ".mark"
MARK_FORMAT = struct.Struct("<QII")
"""Number of records, CRC of the last one, CRC of these two."""

SET_UP = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "CREATE TABLE IF NOT EXISTS journal"
    " (position INTEGER PRIMARY KEY, crc INTEGER NOT NULL, event BLOB NOT NULL) STRICT",
)


UNUSABLE = {
    "SQLITE_CANTOPEN": "it cannot be opened. Its folder must exist, it must be a file, and this"
    " process must be allowed to read and write both",
    "SQLITE_PERM": "this process may not use it. Give it the right to read and write the folder",
    "SQLITE_READONLY": "it cannot be written. Give this process the right to write file and folder",
    "SQLITE_FULL": "the disk is full. Make room, then open the session again",
    "SQLITE_IOERR": "the disk failed, or is full. Look after it, then open the session again",
    "SQLITE_BUSY": "another process is writing to it. Only one may at a time: end the other, or"
    " give this session a journal of its own",
    "SQLITE_LOCKED": "it is used a second time in this process. Close the other one first",
    "SQLITE_CONSTRAINT": "another process has written to it since it was opened here. Only one may"
    " at a time: end the other, then open the session again",
    "SQLITE_MISUSE": "it was closed before. Open the session again",
}
"""What to do, by SQLite's name of a trouble that is the place's and not the content's."""


class Mark(NamedTuple):
    """How far the journal was known to reach."""

    records: int
    crc: int


class SqliteJournal:
    """Keeps its records in `path`, and the high-water mark in `path` + `.mark`."""

    def __init__(self, path: str | Path) -> None:
        """Open or create it. Only one process may write to it at a time (SPEC L14).

        Raises JournalUnusable, or JournalDamaged for a file that is no journal.
        """
        self.path = Path(path)
        self._end: Mark | None = None
        self._mark_file: int | None = None
        try:
            self._db = sqlite3.connect(self.path, isolation_level=None)
        except sqlite3.Error as error:
            raise self._trouble(error, "is no journal") from error
        try:
            for statement in SET_UP:
                self._db.execute(statement)
            mark_path = f"{self.path}{MARK_SUFFIX}"
            self._mark_file = os.open(mark_path, os.O_RDWR | os.O_CREAT, 0o600)
        except sqlite3.Error as error:
            self._db.close()
            raise self._trouble(error, "is no journal") from error
        except OSError as error:
            self._db.close()
            raise JournalUnusable(
                f"the journal {self.path} cannot be used: its mark {error.filename} cannot be"
                f" opened ({error.strerror}). This process must be allowed to read and write it"
            ) from error

    def append(self, *events: AnyEvent) -> None:
        """One transaction, then the mark.

        Once it is committed nothing is raised: events that are durable must not look as if they
        were not. A mark that could not be written lags behind, as after a power cut.
        """
        if self._end is None:
            self.load()
        records, crc = self._end or Mark(0, 0)
        rows = []
        for event in events:
            body = encode(event)
            crc = chained(body, crc)
            rows.append((records, crc, body))
            records += 1
        self._end = None  # until the commit: what a failed one left behind, only a load can tell
        try:
            self._transact(rows)
        except sqlite3.Error as error:
            raise self._trouble(error, "cannot be written") from error
        self._end = Mark(records, crc)
        with suppress(OSError):
            self._write_mark(self._end)

    def load(self) -> list[AnyEvent]:
        """Check every row against the chain, and the last against the mark."""
        events: list[AnyEvent] = []
        crc = 0
        mark = self._read_mark()
        marked = mark is None or mark.records == 0
        for number, (position, stored, body) in enumerate(self._rows()):
            if position != number:
                raise JournalDamaged(f"record {number} of {self.path} is missing")
            crc = chained(body, crc)
            if crc != stored:
                raise JournalDamaged(f"record {position} of {self.path} fails its checksum")
            if mark is not None and number + 1 == mark.records:
                marked = crc == mark.crc
            events.append(decode(body, position=position))
        if not marked:
            raise JournalDamaged(
                f"{self.path} holds {len(events)} records, but {mark.records if mark else 0} were"
                " acknowledged: its end is lost or was replaced"
            )
        self._end = Mark(len(events), crc)
        return events

    def close(self) -> None:
        """Close both files."""
        self._db.close()
        if self._mark_file is not None:
            os.close(self._mark_file)
            self._mark_file = None

    def _transact(self, rows: list[tuple[int, int, bytes]]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany("INSERT INTO journal VALUES (?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _rows(self) -> list[tuple[int, int, bytes]]:
        try:
            rows = self._db.execute("SELECT position, crc, event FROM journal ORDER BY position")
            return rows.fetchall()
        except sqlite3.Error as error:
            raise self._trouble(error, "cannot be read") from error

    def _trouble(self, error: sqlite3.Error, what: str) -> JournalTrouble:
        """Whose fault it is: the place's, by the table, or else the content's."""
        name: str = getattr(error, "sqlite_errorname", "")
        if isinstance(error, sqlite3.ProgrammingError):  # raised by the module, not by SQLite
            name = "SQLITE_MISUSE"
        advice = UNUSABLE.get("_".join(name.split("_")[:2]))
        if advice is None:
            return JournalDamaged(f"{self.path} {what}: {error}")
        return JournalUnusable(f"the journal {self.path} cannot be used: {advice} ({error})")

    def _write_mark(self, mark: Mark) -> None:
        if self._mark_file is not None:
            os.pwrite(self._mark_file, _packed(mark), 0)

    def _read_mark(self) -> Mark | None:
        """The mark, or None where there is none that can be trusted: it is a check, not data."""
        if self._mark_file is None:
            return None
        raw = os.pread(self._mark_file, MARK_FORMAT.size, 0)
        if len(raw) != MARK_FORMAT.size:
            return None
        records, crc, _ = MARK_FORMAT.unpack(raw)
        mark = Mark(records, crc)
        return mark if raw == _packed(mark) else None


def _packed(mark: Mark) -> bytes:
    body = struct.pack("<QI", mark.records, mark.crc)
    return MARK_FORMAT.pack(mark.records, mark.crc, crc32(body))
