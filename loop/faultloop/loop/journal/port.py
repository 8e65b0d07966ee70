"""The port to a journal, and what all stores share: how a record is written and checked.

A record is one event as JSON. Each carries a CRC-32 that is chained to the one before it, so a
record that was changed, dropped or moved breaks the chain from there on. What a store promises
(SPEC D9, D10), and what the conformance suite in the tests asks of each:

* `append` returns once its events are durable, all of them or none;
* `load` gives back what was appended, byte for byte in the same order;
* a record that was torn while it was being written is lost, and nothing before it is;
* anything else that is missing or changed is `JournalDamaged`, never a shorter history: a loop
  that believes a shorter history does things twice.

What goes wrong, and whose fault it is:

    JournalTrouble
      JournalUnusable    the place it is kept in: a folder, a full disk, a second writer
      JournalDamaged     what is in it: the store or the disk under it lost or changed records
      LeaseLost          who writes: another process has taken the session over meanwhile

An append that raises may have written its events all the same, where the store itself cannot tell;
whoever appends reads the journal again before it goes on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol
from zlib import crc32

import msgspec

from faultloop.loop.events import AnyEvent


class JournalTrouble(Exception):
    """A journal cannot be read or written; the message is a sentence that says what to do."""


class JournalUnusable(JournalTrouble):
    """It cannot be read or written where it is; whoever runs the loop is at fault, not its content.

    What was acknowledged is still there. Mend the place, then open the session again.
    """


class JournalDamaged(JournalTrouble):
    """Acknowledged records are missing or changed; the store or the disk under it is at fault.

    The session must not go on from what is left. Restore the journal, or start a new session.
    """

    def __init__(
        self, sentence: str, *, record: int | None = None, offset: int | None = None
    ) -> None:
        """`record` counts the store's own records from 0; `offset` is where it begins, in bytes."""
        super().__init__(sentence)
        self.record = record
        self.offset = offset


class LeaseLost(JournalTrouble):
    """Whoever writes has lost the session to another process (SPEC L14); nothing was written.

    It was frozen or away for longer than its lease. It must stop; what it was doing is the other's
    to make sense of, as after a crash.
    """


class Journal(Protocol):
    """An append-only store of one session."""

    def append(self, *events: AnyEvent) -> None:
        """Make these events durable, together, before returning. Raises JournalUnusable."""
        ...

    def load(self) -> list[AnyEvent]:
        """All events so far, in order. Raises JournalDamaged."""
        ...

    def close(self) -> None:
        """Let go of the store; may be called twice."""
        ...


class Fenced(Journal, Protocol):
    """A store in a file, to which only one process at a time can write (`lease`).

    A fence is a number that only grows, kept with the records. Whoever put it up is the last who
    may write: that is looked at within each append, where nobody can come in between. So a process
    that was frozen, and does not know that its time is over, can do no harm when it wakes.
    """

    @property
    def path(self) -> Path:
        """The file in which the records are."""
        ...

    @property
    def fenced(self) -> int:
        """The fence as it is now; 0 if there never was one."""
        ...

    def fence(self, token: int) -> None:
        """From here on only this handle may append, until somebody comes with a greater token.

        Raises LeaseLost where somebody has, and JournalUnusable.
        """
        ...


_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder(AnyEvent)


def encode(event: AnyEvent) -> bytes:
    """The event as its record's body; equal events give equal bytes.

    Raises ValueError for one that could not be read back: written once, it would make the whole
    journal unreadable for ever. The fault is the loop's, and is found before the harm is done.
    """
    body = _encoder.encode(event)
    try:
        _decoder.decode(body)
    except msgspec.DecodeError as error:
        raise ValueError(f"{type(event).__name__} could not be read back: {error}") from error
    return body


def decode(body: bytes, *, position: int) -> AnyEvent:
    """The inverse. Raises JournalDamaged where the bytes are no event that we know."""
    try:
        return _decoder.decode(body)
    except msgspec.DecodeError as error:
        raise JournalDamaged(
            f"record {position} of the journal is no event: {error}", record=position
        ) from error


def chained(body: bytes, before: int) -> int:
    """The CRC of a record whose predecessor's CRC is `before` (0 for the first)."""
    return crc32(body, before)
