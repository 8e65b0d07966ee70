"""What of a change a dialect can show: a client cannot tell two replies that are spelt alike.

A fault whose change is spelt as if there were none has not happened to the loop, and a promise that
was put to the test by it was not.
"""

from __future__ import annotations

from faultloop.fakes.dialects.dialect import Dialect, Frame
from faultloop.fakes.reply import Eof, Item, Reply, Trouble, pieces


def shows(
    dialect: Dialect,
    frame: Frame,
    before: Reply,
    after: Reply,
    *,
    streaming: bool,
    items: tuple[Item, ...] | None = None,
) -> bool:
    """Whether a client sees that another reply is said. `items`: what is streamed of it, in place
    of its own."""
    if not streaming:
        return dialect.whole(before, frame) != dialect.whole(after, frame)
    return sent(dialect, frame, before) != sent(dialect, frame, after, items)


def shows_shape(
    dialect: Dialect,
    frame: Frame,
    reply: Reply,
    before: tuple[Item, ...],
    after: tuple[Item, ...],
) -> bool:
    """Whether a client sees that the stream of a reply has another shape."""
    return sent(dialect, frame, reply, before) != sent(dialect, frame, reply, after)


def sent(
    dialect: Dialect, frame: Frame, reply: Reply, items: tuple[Item, ...] | None = None
) -> list[bytes | Trouble]:
    """What is sent of a streamed reply: all bytes up to each trouble, and the trouble.

    `items` in place of its own.
    """
    found: list[bytes | Trouble] = []
    run = b""
    for one in events(dialect, frame, reply, tuple(pieces(reply)) if items is None else items):
        if isinstance(one, bytes):
            run += one
        elif not isinstance(one, Eof):  # at its proper end a stream is over, with or without one
            found += (run, one)
            run = b""
    return [*found, run]


def events(
    dialect: Dialect, frame: Frame, reply: Reply, items: tuple[Item, ...]
) -> list[bytes | Trouble]:
    """The bytes of each item, empty where nothing is sent for it."""
    spelling = dialect.stream(reply, frame)
    return [item if isinstance(item, Trouble) else spelling.event(item) for item in items]
