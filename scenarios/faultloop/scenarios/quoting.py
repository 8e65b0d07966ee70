"""Quoting: how much of a long text stands in another, in pieces or whole.

A loop that gives arguments back may have read and printed them: with other quotes, other white
space, escapes done or undone. So both texts are compared bare of these. The told text is read once;
each piece of it that the other holds is counted once, in bytes as it was sent or as it was told,
whichever is less. Work grows with the length of the two texts, not with their product.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

SEED_CHARS = 16
"""Shorter pieces occur by chance."""
PIECE_BYTES = 64
"""Shorter pieces are named in passing, beside an excerpt, and are not added to it."""

_TOKEN = re.compile(
    r"\\+u(?P<high>d[89ab][0-9a-f]{2})\\+u(?P<low>d[c-f][0-9a-f]{2})|\\+u(?P<unit>[0-9a-f]{4})"
    r"|(?P<none>\\+[bfnrt]|[\s\"']+|\\)|(?P<plain>[^\s\"'\\]+)",
    re.IGNORECASE,
)


class _Bare(NamedTuple):
    """A text without white space, quotes and escapes."""

    text: str
    begins: list[int]
    """For each of its characters where it began in the text as it was, in bytes."""
    ends: list[int]
    """And where it ended."""


class _Run(NamedTuple):
    """A piece that two bare texts share."""

    begin: int
    begin_told: int
    length: int


def quoted_bytes(text: str, told: str) -> int:
    """How many bytes of a text stand in what was told, as a whole or in several pieces."""
    sent, back = _bare(text), _bare(told)
    pieces = [
        min(_bytes(sent, run.begin, run.length), _bytes(back, run.begin_told, run.length))
        for run in _runs(sent.text, back.text)
    ]
    return max(sum(size for size in pieces if size >= PIECE_BYTES), *pieces, 0)


def _bare(text: str) -> _Bare:
    characters: list[str] = []
    begins: list[int] = []
    ends: list[int] = []
    at = 0
    for token in _TOKEN.finditer(text):
        if token["none"]:
            at += _size(token.group())
            continue
        for character in token["plain"] or ():
            characters.append(character)
            begins.append(at)
            at += _size(character)
            ends.append(at)
        if not token["plain"]:
            characters.append(_unescaped(token))
            begins.append(at)
            at += len(token.group())
            ends.append(at)
    return _Bare("".join(characters), begins, ends)


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))


def _unescaped(token: re.Match[str]) -> str:
    if token["unit"]:
        return chr(int(token["unit"], 16))
    return chr(0x10000 + (int(token["high"], 16) % 0x400 << 10) + int(token["low"], 16) % 0x400)


def _bytes(bare: _Bare, begin: int, length: int) -> int:
    return bare.ends[begin + length - 1] - bare.begins[begin]


def _runs(text: str, told: str) -> Iterator[_Run]:
    """The pieces of the told text that the other holds; none overlaps another."""
    seeds: dict[str, int] = {}
    for place in range(0, len(text) - SEED_CHARS + 1, SEED_CHARS):
        seeds.setdefault(text[place : place + SEED_CHARS], place)
    free = at = 0
    while at + SEED_CHARS <= len(told):
        seed = told[at : at + SEED_CHARS]
        if seed not in seeds:
            at += 1
            continue
        place = seeds[seed]
        # One seed back at most: what lies farther would have met the seed before this one.
        back = min(SEED_CHARS, place, at - free)
        before = next((n for n in range(back) if text[place - n - 1] != told[at - n - 1]), back)
        length = before + _common(text, place, told, at)
        yield _Run(place - before, at - before, length)
        free = at = at - before + length


def _common(text: str, begin: int, told: str, begin_told: int) -> int:
    """How many characters two texts have alike from these places on."""
    alike, step = 0, SEED_CHARS
    while step:
        one = text[begin + alike : begin + alike + step]
        if len(one) == step and told.startswith(one, begin_told + alike):
            alike += step
            step *= 2
        else:
            step //= 2
    return alike
