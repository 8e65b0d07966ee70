"""Server-sent events: bytes in as the wire cuts them, events out as soon as they are whole.

The standard is the one of browsers (html.spec.whatwg.org, "Server-sent events"). What only a
browser needs is left out: ids and retry times are read over. Nothing here awaits; who has bytes
feeds them.
"""

from __future__ import annotations

from typing import NamedTuple

EVENT_BYTES_MAX = 8_000_000
"""Of a line whose end has not come, and of the data of an event: no piece of a reply is as long,
and a stream without ends would take all memory."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class StreamEvent(NamedTuple):
    """One event that carries data; the others tell nobody anything."""

    type: str
    """`message` where the stream names none."""
    data: str


class EndlessEvent(Exception):
    """More than `EVENT_BYTES_MAX` came and no event was whole; whoever sends is at fault."""


class EventReader:
    """Reads one stream."""

    def __init__(self) -> None:
        self._line: list[bytes] = []
        """Pieces of a line whose end has not come."""
        self._line_bytes = 0
        self._after_return = False
        """The last byte was a CR, which ended a line; a LF now belongs to it."""
        self._begun = False
        self._type = ""
        self._data: list[str] = []
        self._data_chars = 0

    def feed(self, piece: bytes) -> list[StreamEvent]:
        """The events that these bytes make whole. Raises EndlessEvent."""
        if self._after_return and piece:
            self._after_return = False
            piece = piece.removeprefix(b"\n")
        if b"\r" in piece:
            self._after_return = piece.endswith(b"\r")
            piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self._line.append(piece)
        if b"\n" not in piece:
            self._line_bytes += len(piece)
            if self._line_bytes > EVENT_BYTES_MAX:
                raise EndlessEvent
            return []
        *lines, rest = b"".join(self._line).split(b"\n")
        self._line = [rest]
        self._line_bytes = len(rest)
        if not self._begun:
            self._begun = True
            lines[0] = lines[0].removeprefix(BYTE_ORDER_MARK)
        events: list[StreamEvent] = []
        for line in lines:
            if line:
                self._read(line)
            else:
                events += self._whole()
        return events

    def _read(self, line: bytes) -> None:
        # A line is text of its own: no character of UTF-8 has a byte that looks like its end.
        field, _, value = line.decode("utf-8", "replace").partition(":")
        if field == "data":
            self._data.append(value.removeprefix(" "))
            self._data_chars += len(value)
            if self._data_chars > EVENT_BYTES_MAX:
                raise EndlessEvent
        elif field == "event":
            self._type = value.removeprefix(" ")

    def _whole(self) -> tuple[StreamEvent, ...]:
        event = StreamEvent(self._type or "message", "\n".join(self._data))
        self._type = ""
        self._data = []
        self._data_chars = 0
        return (event,) if event.data else ()
