"""A journal in memory, for tests and simulations.

The list of records is handed in and stays outside, so it survives the simulated death of the loop
that wrote it. A record is eight hex digits of its CRC, eight of its body's length, and the body: a
last record that is shorter than it says is what a crash in the middle of a write leaves behind.
"""

from __future__ import annotations

from struct import Struct

from faultloop.loop.events import AnyEvent
from faultloop.loop.journal.port import JournalDamaged, chained, decode, encode

HEAD = Struct(">II")
HEAD_BYTES = 2 * HEAD.size
"""Two hex digits for each byte."""


class MemoryJournal:
    """Keeps its records in a list of bytes."""

    def __init__(self, store: list[bytes] | None = None) -> None:
        """`store` is read and appended to; keep it outside to survive a crash."""
        self.store: list[bytes] = [] if store is None else store
        self._crc: int | None = None

    def append(self, *events: AnyEvent) -> None:
        """Add the events; a list's `extend` is all or nothing."""
        if self._crc is None:
            self.load()
        crc = self._crc or 0
        records = []
        for event in events:
            body = encode(event)
            crc = chained(body, crc)
            records.append(_record(body, crc))
        self.store.extend(records)
        self._crc = crc

    def load(self) -> list[AnyEvent]:
        """Check and decode; a torn last record is dropped, here and from the store."""
        events: list[AnyEvent] = []
        crc = 0
        if self.store and _is_torn(self.store[-1]):
            del self.store[-1]
        for position, record in enumerate(self.store):
            body = record[HEAD_BYTES:]
            crc = chained(body, crc)
            if record != _record(body, crc):
                raise JournalDamaged(
                    f"record {position} of the journal fails its checksum", record=position
                )
            events.append(decode(body, position=position))
        self._crc = crc
        return events

    def close(self) -> None:
        """Nothing to let go of."""


def _record(body: bytes, crc: int) -> bytes:
    return HEAD.pack(crc, len(body)).hex().encode() + body


def _is_torn(record: bytes) -> bool:
    if len(record) < HEAD_BYTES:
        return True
    try:
        return len(record) - HEAD_BYTES < int(record[8:HEAD_BYTES], 16)
    except ValueError:
        return False  # no length at all: that is damage
