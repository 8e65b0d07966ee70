"""The high-water mark: how far a journal is known to reach, kept where its loss cannot take it.

A file that ends early looks like a shorter history, and a loop that believes a shorter history does
things twice. So the number of acknowledged records, and the checksum of the last, stand in a small
file of their own beside the journal.

It is written after the records that it counts are durable, and is not synced itself: it may lag
behind, by the record of a process that died in between or by more after a power cut, but it never
leads. What it names was acknowledged; if that is not there, it is lost. Syncing it as well would
double the cost of each append, to notice a disk that loses synced records *and* power at once.

Two places are written in turn, so a mark that is torn while it is written leaves the one before.
It is a check and not data: a mark that is gone or unreadable raises no alarm of its own.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from faultloop.loop.journal import place

SUFFIX = ".mark"

PLACES = (0, 512)
"""Where the two stand, in bytes: in different sectors, which are written each as a whole."""

WHAT = struct.Struct("<QI")
CHECK = struct.Struct("<I")


class Mark(NamedTuple):
    """How far the journal was known to reach."""

    records: int
    crc: int
    """Of the last of them; 0 where there is none."""


class MarkFile:
    """The file beside a journal. Raises OSError where it cannot be used."""

    def __init__(self, journal: Path) -> None:
        """Open or create it."""
        self.path = Path(f"{journal}{SUFFIX}")
        self._file = place.make(self.path)
        self._next: int | None = None

    def read(self) -> Mark | None:
        """The furthest mark, or None where there is none that can be trusted."""
        marks = [self._at(place) for place in PLACES]
        furthest = max((mark for mark in marks if mark is not None), default=None)
        self._next = PLACES[1] if furthest is not None and marks[0] == furthest else PLACES[0]
        return furthest

    def write(self, mark: Mark) -> None:
        """Replace the mark before the last one."""
        if self._next is None:
            self.read()
        what = WHAT.pack(*mark)
        place = self._next or 0
        os.pwrite(self._file, what + CHECK.pack(crc32(what)), place)
        self._next = PLACES[0] if place else PLACES[1]

    def close(self) -> None:
        """Once."""
        os.close(self._file)

    def _at(self, place: int) -> Mark | None:
        raw = os.pread(self._file, WHAT.size + CHECK.size, place)
        what, check = raw[: WHAT.size], raw[WHAT.size :]
        if len(check) < CHECK.size or check != CHECK.pack(crc32(what)):
            return None
        return Mark(*WHAT.unpack(what))
