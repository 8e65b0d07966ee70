"""A reply as acts on a wire: what byte faults change, below every dialect.

    Head, bytes, Delivered, bytes, Delivered, ..., End     a reply as it should travel
    faults/*.travel(acts) -> acts                          the same in trouble
    carrying.carry(...)                                    does the acts, one by one

Values in, values out: nothing here sends or waits. Offsets count the body's bytes, from 0, without
the head and the frame of HTTP, so they mean the same over a socket and in process. A reply becomes
acts only where a byte fault is due; all others go the short way in `app`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

import msgspec

from faultloop.fakes.asgi import Headers
from faultloop.fakes.reply import Stall


class Head(msgspec.Struct, frozen=True):
    """Status 200 and the headers."""

    headers: Headers
    length: int | None
    """What `Content-Length` says; None: the body is chunked."""


class Delivered(msgspec.Struct, frozen=True):
    """With the bytes so far, this many items of the reply have arrived in full."""

    items: int
    chunk: int | None = None
    """The stream's chunk that this was, from 1; None for an item without bytes of its own."""


class Shows(msgspec.Struct, frozen=True):
    """What follows is the consequence of a fault."""

    fault: int
    """Its index in the scenario's list."""
    kind: str


class Wait(msgspec.Struct, frozen=True):
    """Nothing is sent for a moment, because the line is slow."""

    seconds: float


class Cork(msgspec.Struct, frozen=True):
    """From here on all is kept back and goes out in one write, at the end. Not modelled."""


class Excess(msgspec.Struct, frozen=True):
    """Bytes that follow the end of the body as its head has it. Not modelled."""

    data: bytes


class Trailers(msgspec.Struct, frozen=True):
    """Fields between a chunked body's last chunk and its end. Not modelled."""

    fields: Headers


class Break(msgspec.Struct, frozen=True):
    """The connection ends here and the response does not."""

    how: Literal["reset", "closed", "half_closed", "held"]
    """RST; FIN and nothing is read any more; FIN and the rest is read; nothing at all."""


class End(msgspec.Struct, frozen=True):
    """The proper end of the body."""


Act = Head | bytes | Delivered | Shows | Stall | Wait | Cork | Excess | Trailers | Break | End
Acts = tuple[Act, ...]

NOT_MODELLED = Cork | Excess | Trailers
"""In process there are no packets, and a client is given a body without its frame."""


class Parted(NamedTuple):
    """Acts in two."""

    before: Acts
    after: Acts


def body_bytes(acts: Iterable[Act]) -> int:
    """How long the body is."""
    return sum(len(act) for act in acts if isinstance(act, bytes))


def after_body(acts: Acts) -> int:
    """Index of the first act that follows the body: its end, or what stands in place of it."""
    ends = (at for at, act in enumerate(acts) if isinstance(act, Excess | Trailers | Break | End))
    return next(ends, len(acts))


def with_head(acts: Acts, change: Callable[[Head], Head]) -> Acts:
    """The same acts under another head."""
    return tuple(change(act) if isinstance(act, Head) else act for act in acts)


def parted(acts: Acts, offset: int) -> Parted:
    """Cut so that exactly `offset` bytes of the body stand before; all, if it has no more.

    What has arrived with these bytes stands before as well.
    """
    left = offset
    before: list[Act] = []
    for at, act in enumerate(acts):
        if isinstance(act, bytes):
            if len(act) > left:
                if left:
                    before.append(act[:left])
                return Parted(tuple(before), (act[left:], *acts[at + 1 :]))
            left -= len(act)
        elif left == 0 and not isinstance(act, Head | Delivered | Shows | Cork):
            return Parted(tuple(before), acts[at:])
        before.append(act)
    return Parted(tuple(before), ())


def cut_anew(acts: Acts, cut_after: Callable[[int], int | None]) -> Acts:
    """The body in other pieces: from `offset` on, the next one ends at `cut_after(offset)`.

    None: no piece ends any more. What stalls, breaks or ends a reply lets go what there is.
    """
    out: list[Act] = []
    pending = bytearray()
    marks: deque[tuple[int, Delivered | Shows]] = deque()
    sent = 0

    def emit(size: int) -> None:
        nonlocal sent
        if size:
            out.append(bytes(pending[:size]))
            del pending[:size]
            sent += size
        while marks and marks[0][0] <= sent:
            out.append(marks.popleft()[1])

    for act in acts:
        if isinstance(act, bytes):
            pending += act
            while (end := cut_after(sent)) is not None and end - sent <= len(pending):
                emit(end - sent)
        elif isinstance(act, Delivered | Shows):
            marks.append((sent + len(pending), act))
            emit(0)
        else:
            emit(len(pending))
            out.append(act)
    emit(len(pending))
    return tuple(out)


def first_change(before: Acts, after: Acts) -> int | None:
    """Index in `after` of the first act that is another one; None: they are the same."""
    for at, (one, other) in enumerate(zip(before, after, strict=False)):
        if one != other:
            return at
    return None if len(before) == len(after) else min(len(before), len(after))


def broken_off(acts: Acts, after_bytes: int | None, end: Break) -> Acts:
    """The first bytes of the body and then the break; the same acts if it has no more than that.

    None: all of the body, where it would have ended properly.
    """
    whole = body_bytes(acts)
    at = whole if after_bytes is None else after_bytes
    if at > whole or (at == whole and not isinstance(acts[-1], End)):
        return acts
    return *parted(acts, at).before, end
