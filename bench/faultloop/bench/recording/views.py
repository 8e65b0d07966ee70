"""Views: a body as the texts that somebody who reads it could make of it.

A secret can stand in a body as it is, with JSON's or a URL's escapes, or cut into the deltas of a
stream. Each view is one such reading; for every character it knows the bytes of the body that it
stands for, so that what is found in a view can be cut out of the body.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

DEPTH = 3
"""So often escapes are resolved one after the other: JSON in a text of JSON in a text of JSON."""

Span = tuple[int, int]
"""Bytes of the body: from and to."""

Source = tuple[int, ...]
"""The bytes of one character: from, to, and again where they are apart (an escape that is cut)."""


class View(NamedTuple):
    """A text, and where it comes from."""

    text: str
    sources: list[Source]
    """For each character."""

    def at(self, start: int, end: int) -> list[Span]:
        """The bytes that a piece stands for, in order, neighbours joined."""
        found: list[Span] = []
        for source in self.sources[start:end]:
            for begin, stop in zip(source[::2], source[1::2], strict=True):
                if found and found[-1][0] <= begin <= found[-1][1]:
                    found[-1] = (found[-1][0], max(stop, found[-1][1]))
                else:
                    found.append((begin, stop))
        return found


def views(body: bytes) -> Iterator[View]:
    """All readings of a body; of each, those that resolve most come first."""
    plain = _decoded(body)
    for view in (*_channels(plain), plain):
        yield from reversed((view, *_deeper(view)))


def _decoded(body: bytes) -> View:
    text = body.decode(errors="surrogateescape")
    if len(text) == len(body):
        return View(text, [(at, at + 1) for at in range(len(body))])
    sources: list[Source] = []
    at = 0
    for char in text:
        size = len(char.encode(errors="surrogateescape"))
        sources.append((at, at + size))
        at += size
    return View(text, sources)


# --- escapes --------------------------------------------------------------------------------

_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
JSON_ESCAPE = re.compile(rf"{_PAIR}|\\u[0-9a-fA-F]{{4}}|\\[\"\\/bfnrt]")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_ENTITY = re.compile(r"&#(?:[xX][0-9a-fA-F]{1,6}|[0-9]{1,7});")


def _deeper(view: View) -> Iterator[View]:
    """The view with its escapes resolved, once, twice, and so on."""
    for pattern, meaning in _ESCAPES:
        resolved = _resolved(view, pattern, meaning)
        for _ in range(DEPTH):
            if resolved is None:
                break
            yield resolved
            view = resolved  # a URL in a text of JSON has escapes of both
            resolved = _resolved(view, pattern, meaning)


def _resolved(view: View, pattern: re.Pattern[str], meaning: Callable[[str], str]) -> View | None:
    """None where there is nothing to resolve. All that an escape means stands for all of it."""
    texts: list[str] = []
    sources: list[Source] = []
    done = 0
    for match in pattern.finditer(view.text):
        start, end = match.span()
        said = meaning(match[0])
        texts += (view.text[done:start], said)
        sources += view.sources[done:start]
        source = tuple(bound for span in view.at(start, end) for bound in span)
        sources += [source] * len(said)
        done = end
    if not done:
        return None
    return View("".join((*texts, view.text[done:])), [*sources, *view.sources[done:]])


def _json(escape: str) -> str:
    return str(json.loads(f'"{escape}"'))


def _percent(escape: str) -> str:
    return bytes.fromhex(escape.replace("%", "")).decode(errors="replace")


def _entity(escape: str) -> str:
    number = escape[2:-1]
    code = int(number[1:], 16) if number[0] in "xX" else int(number)
    return chr(code) if code < 0x110000 else escape


_ESCAPES = ((JSON_ESCAPE, _json), (_PERCENT, _percent), (_ENTITY, _entity))


# --- what is cut into deltas ----------------------------------------------------------------

_DATA = re.compile(r"^data:([^\r\n]*)", re.MULTILINE)
_NUMBERED = re.compile(r'"(?:index|\w+_index|item_id)"\s*:\s*("[^"]*"|\d+)')
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"?|[{}\[\],:]', re.DOTALL)


class _Leaf(NamedTuple):
    path: tuple[str, ...]
    start: int
    end: int


def _channels(plain: View) -> Iterator[View]:
    """Strings that come one after the other in the same place of a stream's events, joined.

    The same place: the same keys and numbers on the way there; and, in case that a provider
    changes these in the middle, just the same last key.
    """
    piles: dict[tuple[object, ...], list[View]] = {}
    text = plain.text
    events = [match.span(1) for match in _DATA.finditer(text)] or [(0, len(text))]
    for start, end in events:
        numbers = tuple(_NUMBERED.findall(text, start, end))
        for leaf in _leaves(text, start, end):
            raw = View(text[leaf.start : leaf.end], plain.sources[leaf.start : leaf.end])
            view = _resolved(raw, JSON_ESCAPE, _json) or raw
            piles.setdefault((leaf.path, numbers), []).append(view)
            piles.setdefault(leaf.path[-1:], []).append(view)
    for pile in piles.values():
        if len(pile) > 1:
            sources = [source for view in pile for source in view.sources]
            yield View("".join(view.text for view in pile), sources)


def _leaves(text: str, start: int, end: int) -> Iterator[_Leaf]:
    """The strings of a JSON text that are values, also of one that is cut or broken."""
    path: list[str] = []
    is_object: list[bool] = []
    awaits_key = False
    for match in _TOKEN.finditer(text, start, end):
        match match[0]:
            case "{" | "[" as token:
                is_object.append(token == "{")
                path.append("")
                awaits_key = token == "{"
            case "}" | "]":
                if path:
                    path.pop()
                    is_object.pop()
            case ",":
                awaits_key = bool(is_object) and is_object[-1]
            case ":":
                awaits_key = False
            case _ if awaits_key and path:
                path[-1] = match[1]
            case _:
                yield _Leaf(tuple(path), *match.span(1))
