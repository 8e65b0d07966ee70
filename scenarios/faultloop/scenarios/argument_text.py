"""The text of a call's arguments, read strictly, and compared with what a tool was given.

Strict means: the whole text is one JSON value, nothing is guessed. Two values are the same only if
their types are (1 is not true, 42 is not "42"); a number is the same number however it is written,
since JSON knows one kind. What may differ between asked and given is the table in `differences`
(SPEC C3, P4); which other readings a malformed text allows is `readings` (SPEC P4).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

QUOTED_CHARS_MAX = 60


class Malformed(NamedTuple):
    """The text is not one JSON value."""

    reason: str


class Reading(NamedTuple):
    """Arguments that a malformed text may be taken for, and the repair's name."""

    arguments: dict[str, Any]
    repair: str


@lru_cache(maxsize=256)  # every check asks of the same texts; nobody changes what it gets
def parse(text: str) -> object:
    """The one JSON value that the text is, or Malformed."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        return Malformed(str(error))


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def same(one: object, other: object) -> bool:
    """Whether two JSON values are the same value."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def canonical(value: object) -> str:
    """Equal for the same values, and only for them."""
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))


def meanings(text: str) -> frozenset[str]:
    """Everything that a text of arguments may rightly stand for, in canonical form."""
    value = parse(text)
    itself = "malformed " + text if isinstance(value, Malformed) else canonical(value)
    return frozenset({itself, *(canonical(reading.arguments) for reading in readings(text))})


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def quoted(value: object, chars_max: int = QUOTED_CHARS_MAX) -> str:
    """A value or a text, on one line and short enough for a sentence."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= chars_max else text[: chars_max - 1] + "…"


def differences(
    asked: Mapping[str, Any], given: Mapping[str, Any], properties: Mapping[str, Any]
) -> Iterator[str]:
    """What was changed between the model's arguments and the tool's, a clause for each change.

    Not changes: a null left out, a default of the schema filled in, a misspelt name set right
    (the value goes to a declared parameter), a list parameter given its one item or its text.
    """
    added = {name for name in given if name not in asked}
    for name, value in asked.items():
        if name in given:
            if not (same(value, given[name]) or _list_form(value, given[name], properties, name)):
                yield f"{name} was {quoted(value)!r} and became {quoted(given[name])!r}"
        elif value is not None:
            right = _renamed(name, value, given, added, properties)
            if right is None:
                yield f"{name} = {quoted(value)!r} was dropped"
            else:
                added.discard(right)
    for name in sorted(added):
        declared = properties.get(name)
        if not (isinstance(declared, Mapping) and same(declared.get("default"), given[name])):
            yield f"{name} = {quoted(given[name])!r} was added"


def _list_form(asked: object, given: object, properties: Mapping[str, Any], name: str) -> bool:
    declared = properties.get(name)
    if not (isinstance(declared, Mapping) and declared.get("type") == "array"):
        return False
    return same(given, [asked]) or (isinstance(asked, str) and same(given, parse(asked)))


def _renamed(
    name: str,
    value: object,
    given: Mapping[str, Any],
    added: set[str],
    properties: Mapping[str, Any],
) -> str | None:
    if name in properties:
        return None
    return next(
        (right for right in sorted(added) if right in properties and same(given[right], value)),
        None,
    )


def readings(text: str) -> tuple[Reading, ...]:
    """What a text that is no JSON object may still be taken for, in the order of SPEC P4."""
    if not text.strip():
        return (Reading({}, "empty text"),)
    value = parse(text)
    if isinstance(value, str):
        inner = parse(value)
        return (Reading(inner, "double encoding"),) if isinstance(inner, dict) else ()
    if isinstance(value, Malformed):
        return tuple(Reading(one, "glued objects") for one in _glued(text))
    return ()


def values_in(text: str) -> Iterator[tuple[object, str]]:
    """The JSON objects that stand in a text, each with its own text; those within others not."""
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
            yield value, text[at:end]
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)


def _glued(text: str) -> list[dict[str, Any]]:
    """The objects of which the text is made, if it is made of nothing else."""
    found: list[dict[str, Any]] = []
    rest = text.strip()
    while rest:
        try:
            value, end = _DECODER.raw_decode(rest)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict):
            return []
        found.append(value)
        rest = rest[end:].lstrip()
    return found
