"""A journal in one JSONL file: what a person can read, and tools that know nothing of us.

An append is one line (see `lines`), one write, and one sync of the file before it returns. What a
crash left torn at the end is passed over by `load`, which changes nothing, and cut off by the next
append. What an append that failed had written is cut off by that append itself.

Beside `path` stand `.mark`, the high-water mark (see `mark`), and `.fence`, the fence (see `port`).
Appending, and putting up a fence, hold the file's lock (flock): a fence is looked at and the line
written with nobody in between. The lock is tried once and never waited for, because a frozen
process keeps its own; whoever finds it taken says so.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from faultloop.loop.events import AnyEvent
from faultloop.loop.journal import lines, place
from faultloop.loop.journal.mark import Mark, MarkFile
from faultloop.loop.journal.port import JournalDamaged, encode

FENCE_SUFFIX = ".fence"
SYNC: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)
"""Of the content and the length; the times of a file are nobody's promise. macOS has but fsync."""

_decoder = msgspec.json.Decoder(list[AnyEvent])


class Tail(NamedTuple):
    """Where the next line goes."""

    records: int
    crc: int
    offset: int
    size: int
    """Of the file; greater than `offset` where a crash has left something torn."""


class JsonlJournal:
    """Keeps its records in `path`."""

    def __init__(self, path: str | Path) -> None:
        """Open or create it. Raises JournalUnusable."""
        self.path = Path(path)
        self._end: Tail | None = None
        self._token = 0
        self._fence: int | None = None
        try:
            self._file: int | None = place.make(self.path)
        except OSError as error:
            raise place.refused(self.path, error) from error
        self._opened = os.fstat(self._file)
        try:
            _sync_folder(self.path.parent)
            self._mark = MarkFile(self.path)
        except OSError as error:
            os.close(self._file)
            raise place.refused(self.path, error) from error

    def append(self, *events: AnyEvent) -> None:
        """One line, synced, then the mark. One that fails leaves nothing of it in the file.

        Once it is synced nothing is raised: events that are durable must not look as if they were
        not. A mark that could not be written lags behind, as after a power cut.
        """
        bodies = [encode(event) for event in events]
        if self._end is None:
            self.load()
        end = self._end
        if not bodies or end is None:
            return
        line, crc = lines.written(bodies, end.crc)
        self._end = None  # until it is durable: what a failed one left, only a load can tell
        with self._locked() as file:
            self._look(file, end)
            try:
                if end.size > end.offset:
                    os.ftruncate(file, end.offset)
                _write(file, line, end.offset)
                SYNC(file)
            except OSError as error:
                with suppress(OSError):
                    os.ftruncate(file, end.offset)
                raise place.refused(self.path, error) from error
            offset = end.offset + len(line)
            self._end = Tail(records=end.records + 1, crc=crc, offset=offset, size=offset)
            with suppress(OSError):
                self._mark.write(Mark(end.records + 1, crc))

    def load(self) -> list[AnyEvent]:
        """Check every line against its checksum and the one before, and the last against the mark.

        Changes nothing; what a crash left torn at the end is passed over.
        """
        mark, data = self._read()
        scan = lines.scan(data, self.path)
        self._check(mark, scan)
        events: list[AnyEvent] = []
        for number, line in enumerate(scan.lines):
            try:
                events += _decoder.decode(b"[%b]" % line.body)
            except msgspec.DecodeError as error:
                raise JournalDamaged(
                    f"record {number} of {self.path} holds no events: {error}", record=number
                ) from error
        self._end = Tail(len(scan.lines), scan.crc, scan.end, len(data))
        return events

    @property
    def fenced(self) -> int:
        """The fence as it is now; 0 if there never was one."""
        if self._file is None:
            raise place.unusable(self.path, place.CLOSED)
        try:
            return int(os.pread(self._fence_file(), 32, 0) or b"0")
        except ValueError:  # a power cut has torn it: all that it kept out are gone
            return 0
        except OSError as error:
            raise place.refused(self.path, error) from error

    def fence(self, token: int) -> None:
        """From here on only this handle may append, until a greater token comes."""
        with self._locked():
            self._refuse_late(token)
            try:
                os.pwrite(self._fence_file(), b"%020d\n" % token, 0)
                SYNC(self._fence_file())
            except OSError as error:
                raise place.refused(self.path, error) from error
        self._token = token
        self._end = None  # whoever was fenced out may have written until just now

    def close(self) -> None:
        """Close all files."""
        if self._file is None:
            return
        os.close(self._file)
        self._file = None
        self._mark.close()
        if self._fence is not None:
            os.close(self._fence)
            self._fence = None

    def _check(self, mark: Mark | None, scan: lines.Scan) -> None:
        if mark is None or mark.records == 0:
            return
        reached = len(scan.lines)
        if reached < mark.records:
            raise JournalDamaged(
                f"{self.path} holds {reached} whole records, up to byte {scan.end}, but"
                f" {mark.records} were acknowledged: its end is lost or damaged. If it was removed"
                f" on purpose, remove {self._mark.path.name} too",
                record=reached,
                offset=scan.end,
            )
        if scan.lines[mark.records - 1].crc != mark.crc:
            raise JournalDamaged(
                f"record {mark.records - 1} of {self.path} is not the one that was acknowledged:"
                " its end was replaced",
                record=mark.records - 1,
            )

    def _read(self) -> tuple[Mark | None, bytes]:
        """The mark first: what is written in between makes it lag behind, and not lead."""
        if self._file is None:
            raise place.unusable(self.path, place.CLOSED)
        try:
            mark = self._mark.read()
            pieces, offset = [], 0
            while piece := os.pread(self._file, 1 << 24, offset):
                pieces.append(piece)
                offset += len(piece)
        except OSError as error:
            raise place.refused(self.path, error) from error
        return mark, b"".join(pieces)

    def _look(self, file: int, end: Tail) -> None:
        """Refuse to write where somebody else has, or where it would be lost."""
        if self._token:
            self._refuse_late(self._token)
        if not place.is_still(self.path, self._opened):
            raise place.unusable(self.path, place.REMOVED)
        if os.fstat(file).st_size != end.size:
            raise place.unusable(self.path, place.WRITTEN)

    def _refuse_late(self, token: int) -> None:
        place.refuse_late(self.path, token, fenced=self.fenced)

    def _fence_file(self) -> int:
        if self._fence is None:
            self._fence = place.make(Path(f"{self.path}{FENCE_SUFFIX}"))
        return self._fence

    @contextmanager
    def _locked(self) -> Iterator[int]:
        if self._file is None:
            raise place.unusable(self.path, place.CLOSED)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise place.unusable(self.path, place.WRITING) from error
        try:
            yield self._file
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)


def _write(file: int, data: bytes, offset: int) -> None:
    """All of it: a disk that is nearly full takes less than it was given before it complains."""
    left = memoryview(data)
    while left:
        done = os.pwrite(file, left, offset)
        left, offset = left[done:], offset + done


def _sync_folder(folder: Path) -> None:
    """A new file survives a power cut once its folder is synced too."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # some file systems cannot; they need not
            os.fsync(handle)
    finally:
        os.close(handle)
