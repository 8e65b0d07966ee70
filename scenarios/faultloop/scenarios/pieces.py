"""Pieces: what of one text stands in another, wrapped, cut or written as JSON text.

A piece of an answer proves something only if the other answers do not hold it and if it is too long
to occur by chance. Pieces are looked for where loops that shorten leave an answer alone, at its
beginning and its end, and where it parts from another answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from faultloop.scenarios.views.told import content

STRANGE_CHARS_MIN = 6
"""Shorter pieces of another answer prove no mistake."""
OWN_CHARS_MIN = 4
"""Shorter pieces occur by chance."""
PIECE_CHARS = 24
"""As much of an answer in a row is a piece of it."""
LONG_CHARS = PIECE_CHARS - 2
"""So much is left of a piece without the white space at its ends."""

_ESCAPE = re.compile(r'(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]')
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def holds_own(told: str, answer: str, others: Sequence[str]) -> bool:
    """Whether a piece of this answer, and of none of the others, stands in what was told."""
    return any(len(piece) >= OWN_CHARS_MIN for piece in _pieces_told(told, answer, others))


def stands_in_place(told: str, answer: str, own: str) -> bool:
    """Whether another answer than the call's own is what was told: in passing it may be named."""
    pieces = _pieces_told(told, answer, [own])
    return any(len(piece) >= STRANGE_CHARS_MIN and fills(piece, told) for piece in pieces)


def stands_in(piece: str, told: str) -> bool:
    """Whether a piece was told, as it is or as JSON text."""
    return _stands(piece, _readings(told))


def fills(piece: str, told: str) -> bool:
    """Whether a piece was told and is long, or most of what was told."""
    if not stands_in(piece, told):
        return False
    return len(piece) >= LONG_CHARS or 2 * len(piece) > len(content(told).strip())


def _pieces_told(told: str, answer: str, others: Sequence[str]) -> Iterator[str]:
    unequal = [other for other in others if other != answer]  # equal ones cannot be confused
    readings = _readings(told)
    for piece in _pieces(answer, unequal):
        if _stands(piece, readings) and not _stands(piece, unequal):
            yield piece


def _stands(piece: str, texts: Sequence[str]) -> bool:
    return any(piece in text for text in texts)


def _pieces(answer: str, others: Sequence[str]) -> Iterator[str]:
    text = answer.strip()
    places = {0, max(0, len(text) - PIECE_CHARS)}
    for other in others:
        same = alike(text, other.strip())
        same_at_end = len(text) - alike(text[::-1], other.strip()[::-1])
        for place in (same, same_at_end):
            places |= {max(0, place - PIECE_CHARS // 2), max(0, place - PIECE_CHARS + 1), place}
    for place in sorted(places):
        yield text[place : place + PIECE_CHARS].strip()


def alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@lru_cache(maxsize=256)  # each answer of a batch is looked for in every result of the batch
def _readings(told: str) -> tuple[str, ...]:
    """What was told, as it is and with the escapes of JSON undone, up to twice."""
    once = _unescaped(told)
    return tuple(dict.fromkeys((told, once, _unescaped(once))))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    escape = match.group()
    if not escape.startswith("\\u"):
        return _PLAIN.get(escape[1], escape[1])
    units = b"".join(int(unit, 16).to_bytes(2, "big") for unit in escape.split("\\u")[1:])
    return units.decode("utf-16-be", "replace")
