"""A journal in one SQLite file, for sessions that outlive their process.

WAL with synchronous=FULL: an append returns after its frames are on the disk, and a torn write is
rolled back whole when the file is opened again. What SQLite cannot tell us is that *more* is
missing: a WAL that is damaged in the middle, or was left behind by a copy, opens without complaint
as an earlier, shorter history. Hence two checks of our own: a CRC chained from row to row, and a
high-water mark in a small file beside the database, outside the WAL (see `mark`).

The fence (see `port`) is the database's `user_version`: a number in its header that belongs to
whoever made the file, and is read and written within transactions like any row.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from faultloop.loop.events import AnyEvent
from faultloop.loop.journal import place
from faultloop.loop.journal.mark import Mark, MarkFile
from faultloop.loop.journal.port import (
    JournalDamaged,
    JournalTrouble,
    chained,
    decode,
    encode,
)

SET_UP = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "CREATE TABLE IF NOT EXISTS journal"
    " (position INTEGER PRIMARY KEY, crc INTEGER NOT NULL, event BLOB NOT NULL) STRICT",
)

UNUSABLE = {
    "SQLITE_CANTOPEN": "it cannot be opened. Its folder must exist, it must be a file, and this"
    " process must be allowed to read and write both",
    "SQLITE_PERM": place.NO_RIGHT,
    "SQLITE_READONLY": "it cannot be written. Give this process the right to write file and folder",
    "SQLITE_FULL": place.DISK_FULL,
    "SQLITE_IOERR": place.DISK_FAILED,
    "SQLITE_BUSY": place.WRITING,
    "SQLITE_LOCKED": "it is used a second time in this process. Close the other one first",
    "SQLITE_CONSTRAINT": place.WRITTEN,
    "SQLITE_MISUSE": place.CLOSED,
}
"""What to do, by SQLite's name of a trouble that is the place's and not the content's."""


class SqliteJournal:
    """Keeps its records in `path`, and the high-water mark in `path` + `.mark`."""

    def __init__(self, path: str | Path) -> None:
        """Open or create it. Only one process may write to it at a time (SPEC L14).

        Raises JournalUnusable, or JournalDamaged for a file that is no journal.
        """
        self.path = Path(path)
        self._end: Mark | None = None
        self._token = 0
        try:
            os.close(place.make(self.path))  # SQLite itself would let everybody read it
            self._db = sqlite3.connect(self.path, isolation_level=None)
        except OSError as error:
            raise place.refused(self.path, error) from error
        except sqlite3.Error as error:
            raise self._trouble(error, "is no journal") from error
        try:
            for statement in SET_UP:
                self._db.execute(statement)
            self._opened = self.path.stat()
            self._mark: MarkFile | None = MarkFile(self.path)
        except sqlite3.Error as error:
            self._db.close()
            raise self._trouble(error, "is no journal") from error
        except OSError as error:
            self._db.close()
            raise place.refused(self.path, error) from error

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
        if not rows:
            return
        self._end = None  # until the commit: what a failed one left behind, only a load can tell
        with self._transaction("cannot be written"):
            if self._token:
                self._refuse_late(self._token)
            if not place.is_still(self.path, self._opened):
                raise place.unusable(self.path, place.REMOVED)
            self._db.executemany("INSERT INTO journal VALUES (?, ?, ?)", rows)
        self._end = Mark(records, crc)
        with suppress(OSError):
            self._write_mark(self._end)

    def load(self) -> list[AnyEvent]:
        """Check every row against the chain, and the last against the mark."""
        events: list[AnyEvent] = []
        crc = 0
        mark = self._mark.read() if self._mark is not None else None
        for position, stored, body in self._rows():
            number = len(events)
            if position != number:
                raise JournalDamaged(f"record {number} of {self.path} is missing", record=number)
            crc = chained(body, crc) if isinstance(body, bytes) else 0
            if crc != stored or not isinstance(body, bytes):  # damage can change a column's type
                raise JournalDamaged(
                    f"record {number} of {self.path} fails its checksum", record=number
                )
            if mark is not None and number + 1 == mark.records and crc != mark.crc:
                raise JournalDamaged(
                    f"record {number} of {self.path} is not the one that was acknowledged: its end"
                    " was replaced",
                    record=number,
                )
            events.append(decode(body, position=number))
        if mark is not None and len(events) < mark.records:
            raise JournalDamaged(
                f"{self.path} holds {len(events)} records, but {mark.records} were acknowledged:"
                f" its end is lost. If it was removed on purpose, remove {self.path.name}.mark too",
                record=len(events),
            )
        self._end = Mark(len(events), crc)
        return events

    @property
    def fenced(self) -> int:
        """The fence as it is now; 0 if there never was one."""
        try:
            row: tuple[int] = self._db.execute("PRAGMA user_version").fetchone()
        except sqlite3.Error as error:
            raise self._trouble(error, "cannot be read") from error
        return row[0]

    def fence(self, token: int) -> None:
        """From here on only this handle may append, until a greater token comes."""
        with self._transaction("cannot be fenced"):
            self._refuse_late(token)
            self._db.execute(f"PRAGMA user_version={token:d}")
        self._token = token
        self._end = None  # whoever was fenced out may have written until just now

    def close(self) -> None:
        """Close both files."""
        self._db.close()
        if self._mark is not None:
            self._mark.close()
            self._mark = None

    def _refuse_late(self, token: int) -> None:
        place.refuse_late(self.path, token, fenced=self.fenced)

    @contextmanager
    def _transaction(self, what: str) -> Iterator[None]:
        """All of it or nothing, and nobody writes in between; `what` it is if it fails."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise self._trouble(error, what) from error

    def _rows(self) -> Iterator[tuple[int, object, object]]:
        """In their order. What cannot be read is told with its place."""
        number = 0
        try:
            for row in self._db.execute("SELECT position, crc, event FROM journal ORDER BY 1"):
                yield row
                number += 1
        except sqlite3.Error as error:
            raise self._trouble(error, "cannot be read", record=number) from error

    def _trouble(
        self, error: sqlite3.Error, what: str, *, record: int | None = None
    ) -> JournalTrouble:
        """Whose fault it is: the place's, by the table, or else the content's."""
        name: str = getattr(error, "sqlite_errorname", "")
        if isinstance(error, sqlite3.ProgrammingError):  # raised by the module, not by SQLite
            name = "SQLITE_MISUSE"
        advice = UNUSABLE.get("_".join(name.split("_")[:2]))
        if advice is None:
            at = "" if record is None else f", at record {record}"
            return JournalDamaged(f"{self.path} {what}{at}: {error}", record=record)
        return place.unusable(self.path, advice, error)

    def _write_mark(self, mark: Mark) -> None:
        assert self._mark is not None, "nothing is committed once the files are closed"
        self._mark.write(mark)
