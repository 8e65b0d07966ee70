"""What a tool's data look like when they leave: as they are, or longer, cut, or no text at all.

An output that was cut is kept. A cursor is the number of characters that came before, in decimal;
asking on with one runs nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from faultloop.fakes.faults.base import Gateway
from faultloop.fakes.tooling.told import Binary, Done, Failed
from faultloop.fakes.world.form import canonical

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
"""Bytes that are no text: the head of a picture, and then each byte that there is."""

HALF_A_PAIR = "\ud83d"
"""What is left of an emoji that was cut in the middle of its UTF-16."""

_PADDING_LINE = "." * 79 + "\n"


class _Kept(NamedTuple):
    data: str
    chars: int


class Outputs:
    """The outputs of a play."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], _Kept] = {}

    def shaped(self, tool: str, args: dict[str, Any], data: str, gateway: Gateway) -> Done | Binary:
        """What a fault makes of the data; without one they are done as they are."""
        if gateway.binary_bytes:
            return Binary(_repeated(PICTURE, gateway.binary_bytes))
        if gateway.cut_chars and len(data) > gateway.cut_chars:
            kept = self._kept[tool, canonical(args)] = _Kept(data, gateway.cut_chars)
            return _piece(kept, 0)
        if gateway.pad_bytes:
            return Done(data + _padding(gateway.pad_bytes))
        return Done(data + HALF_A_PAIR if gateway.surrogate else data)

    def at(self, tool: str, args: dict[str, Any], cursor: str) -> Done | Failed:
        """The piece of an output that a cursor stands for."""
        kept = self._kept.get((tool, canonical(args)))
        starts = [str(at) for at in range(kept.chars, len(kept.data), kept.chars)] if kept else []
        if kept is None or cursor not in starts:
            why = f"there is no output of {tool} for these arguments that goes on at {cursor!r}"
            return Failed(500, "TOOL_FAILED", f"{why}; leave out the cursor to begin anew")
        return _piece(kept, int(cursor))


def _piece(kept: _Kept, begins: int) -> Done:
    ends = begins + kept.chars
    is_cut = ends < len(kept.data)
    return Done(kept.data[begins:ends], is_cut, str(ends) if is_cut else None)


def _padding(size_bytes: int) -> str:
    lines = size_bytes // len(_PADDING_LINE) + 1
    return (_PADDING_LINE * lines)[:size_bytes]


def _repeated(pattern: bytes, size: int) -> bytes:
    return (pattern * (size // len(pattern) + 1))[:size]
