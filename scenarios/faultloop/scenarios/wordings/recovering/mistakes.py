"""The mistakes that a model is said to have made: a task's right call, spoilt in one way.

One table, seeded: the same seed makes the same mistakes. A function gives None where a call cannot
be spoilt so. Whether the loop refuses what came out is not decided here: what it mends, or what it
runs, is no mistake (`playing`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from faultloop.loop.contract import Contract
from faultloop.loop.strict_json import JSONValue


class Spelt(NamedTuple):
    """A call as a model writes it."""

    name: str
    arguments: str


class Right(NamedTuple):
    """A right call, decoded."""

    contract: Contract
    args: dict[str, Any]


Spoils = Callable[[Right, Random], Spelt | None]


def missing_parameter(right: Right, lots: Random) -> Spelt | None:
    """A required one is left out."""
    names = [name for name in right.contract.required if name in right.args]
    if not names:
        return None
    gone = lots.choice(names)
    return _with(right, {name: value for name, value in right.args.items() if name != gone})


def wrong_type(right: Right, lots: Random) -> Spelt | None:
    """A text as a list, a number in quotes: as models write them, so that the schema refuses it."""
    for name in _shuffled(right.args, lots):
        args = {**right.args, name: _of_other_type(right.args[name])}
        if not right.contract.validator.is_valid(args):
            return _with(right, args)
    return None


def _of_other_type(value: JSONValue) -> JSONValue:
    match value:
        case str():
            return [value]
        case list():
            return {"items": value}
        case _:
            return json.dumps(value, ensure_ascii=False)


def unknown_parameter(right: Right, lots: Random) -> Spelt | None:
    """One of the names is nearly right."""
    for name in _shuffled(right.args, lots):
        wrong = misspelt(name)
        if wrong not in right.contract.properties:
            renamed = {wrong if key == name else key: one for key, one in right.args.items()}
            return _with(right, renamed)
    return None


def misspelt_tool(right: Right, lots: Random) -> Spelt:
    """The tool's name is nearly right."""
    return Spelt(misspelt(right.contract.name), _text(right.args))


def misspelt(name: str) -> str:
    """As models misspell: in another case, or one word as many."""
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest)) if rest else f"{name}s"


def wrong_enum_value(right: Right, lots: Random) -> Spelt | None:
    """A value that is nearly one of those that there are."""
    for name in _shuffled(right.args, lots):
        schema, value = right.contract.properties.get(name), right.args[name]
        options = schema.get("enum") if isinstance(schema, dict) else None
        if isinstance(options, list) and isinstance(value, str):
            wrong = value.upper() if value.upper() not in options else f"{value}_"
            return _with(right, {**right.args, name: wrong})
    return None


def broken_json(right: Right, lots: Random) -> Spelt:
    """The last brace is missing, or a colon, or the quotes are Python's."""
    text = _text(right.args)
    ways = (text[:-1], text.replace(": ", " ", 1), repr(right.args))
    return Spelt(right.contract.name, lots.choice(ways) if right.args else text[:-1])


MISTAKES: Mapping[str, Spoils] = MappingProxyType(
    {
        "missing parameter": missing_parameter,
        "wrong type": wrong_type,
        "unknown parameter": unknown_parameter,
        "misspelt tool name": misspelt_tool,
        "wrong enum value": wrong_enum_value,
        "broken JSON": broken_json,
    }
)
"""Name, as a slice of the report has it, to what spoils a call so."""


def _with(right: Right, args: dict[str, Any]) -> Spelt:
    return Spelt(right.contract.name, _text(args))


def _text(args: dict[str, Any]) -> str:
    return json.dumps(args, ensure_ascii=False)


def _shuffled(names: Iterable[str], lots: Random) -> list[str]:
    found = sorted(names)
    lots.shuffle(found)
    return found
