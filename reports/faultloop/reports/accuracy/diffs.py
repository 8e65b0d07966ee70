"""What two wordings say of one tool, word by word: only the parts that models read and that differ.

Chinese and Japanese have no spaces, so each of their characters is a word of its own here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Literal, NamedTuple

from faultloop.loop.contract import Contract
from faultloop.reports.accuracy.escaping import visible
from faultloop.scenarios.wordings.wording import Wording

WORDS_MAX = 2_000
"""Texts of more words are shown whole, the old and the new: comparing takes the square of them."""

SAME_MIN = 0.4
"""Of the words, that must be in both texts; texts that share less are no edit of one another, and
what they share by chance would only tear them to pieces."""

_WORDS = re.compile(r"[A-Za-z0-9_À-ɏЀ-ӿ]+|\s+|.", re.DOTALL)

_PARTS: Mapping[str, str] = {
    "purpose": "purpose",
    "when": "when",
    "when_not": "when not",
    "paths": "paths",
    "returns": "returns",
    "continuation": "long output",
    "example": "example",
    "mistake": "common mistake",
}
"""Fields of a contract that models read, as the page calls them."""


class Piece(NamedTuple):
    """A run of words."""

    kind: Literal["same", "gone", "new"]
    text: str


class Change(NamedTuple):
    """One part of a tool that two wordings say differently."""

    part: str
    pieces: tuple[Piece, ...]


def changes(base: Wording, candidate: Wording, tool: str) -> tuple[Change, ...]:
    """All parts of a tool that differ, in the order in which models read them."""
    if tool not in base.contracts or tool not in candidate.contracts:
        return ()
    old, new = _parts(base, tool), _parts(candidate, tool)
    return tuple(
        Change(part, pieces(old.get(part, ""), new.get(part, "")))
        for part in {**old, **new}
        if old.get(part, "") != new.get(part, "")
    )


def pieces(old: str, new: str) -> tuple[Piece, ...]:
    """Both texts as one, with what is gone and what is new."""
    ours, theirs = _WORDS.findall(visible(old)), _WORDS.findall(visible(new))
    whole = tuple(_only(Piece("gone", "".join(ours)), Piece("new", "".join(theirs))))
    if max(len(ours), len(theirs)) > WORDS_MAX:
        return whole
    found: list[Piece] = []
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    same = [ours[a:b] for tag, a, b, _, _ in matcher.get_opcodes() if tag == "equal"]
    if 2 * sum(map(_said, same)) < SAME_MIN * (_said(ours) + _said(theirs)):
        return whole
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            found.append(Piece("same", "".join(ours[a:b])))
        else:
            gone, new_ = Piece("gone", "".join(ours[a:b])), Piece("new", "".join(theirs[c:d]))
            found += _only(gone, new_)
    return tuple(_joined(found))


def _said(words: Sequence[str]) -> int:
    """How many of these are words, not signs and spaces."""
    return sum(word[0].isalnum() for word in words)


def _only(*found: Piece) -> Iterator[Piece]:
    return (one for one in found if one.text)


def _joined(found: list[Piece]) -> Iterator[Piece]:
    """Changes with nothing but a space between them as one: easier to read."""
    gone = new = ""
    for place, one in enumerate(found):
        is_gap = one.kind == "same" and one.text.isspace() and bool(gone or new)
        if one.kind == "same" and not (is_gap and place + 1 < len(found)):
            yield from _only(Piece("gone", gone), Piece("new", new))
            gone = new = ""
            yield one
            continue
        gone += one.text if one.kind != "new" else ""
        new += one.text if one.kind != "gone" else ""
    yield from _only(Piece("gone", gone), Piece("new", new))


def _parts(wording: Wording, tool: str) -> dict[str, str]:
    """Every part of a tool's face by name; parameters under the base's names."""
    contract = wording.contracts[tool]
    told = {"name": contract.name}
    for field, said in _PARTS.items():
        if value := getattr(contract, field):
            told[said] = value if isinstance(value, str) else _json(value)
    told.update(_parameters(wording, tool, contract))
    return told


def _parameters(wording: Wording, tool: str, contract: Contract) -> Iterator[tuple[str, str]]:
    for name, schema in contract.properties.items():
        part = f"parameter {wording.parameter_called(tool, name)}"
        yield f"{part}: name", name
        if isinstance(schema, dict):
            described, rest = _described(schema)
            yield part, described
            yield f"{part}: schema", _json(rest)
        else:
            yield part, _json(schema)


def _described(schema: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """What a parameter's schema says to people, and the rest of it."""
    rest = dict(schema)
    described = rest.pop("description", "")
    return described if isinstance(described, str) else _json(described), rest


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
