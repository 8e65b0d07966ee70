"""Answers to try both verdicts on: each row's own, and the same with one thing changed.

What is changed follows from the seed, the row and the kind of change, and from nothing else.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from faultloop.scenarios.wordings.bfcl.answers import LEFT_OUT, acceptable_values
from faultloop.scenarios.wordings.bfcl.checker import Asked, Called
from faultloop.scenarios.wordings.bfcl.source import Row

Calls = tuple[Called, ...]
OWN = "own answer"
OWN_OTHERS = "own answer, other values"
LAST = -1


def own_calls(row: Row, pick: int = 0) -> Calls:
    """The row's own answer, of the first listed values, or of the LAST ones."""
    schemas = {function["name"]: function["parameters"] for function in row.functions}
    return tuple(
        Called(name, _args(values, schemas.get(name) or {}, pick))
        for answer in row.answers
        for name, values in answer.items()
    )


def full_calls(row: Row) -> Calls:
    """The row's own answer, with all of what may be left out that has a value."""
    return tuple(
        Called(name, {key: given(one, {}, 0) for key, one in _first(values).items()})
        for answer in row.answers
        for name, values in answer.items()
    )


def _first(answer: Mapping[str, Any]) -> dict[str, Any]:
    kept = {
        name: [one for one in acceptable_values(values) if one != LEFT_OUT]
        for name, values in answer.items()
    }
    return {name: values[0] for name, values in kept.items() if values}


def _args(answer: Mapping[str, Any], schema: Mapping[str, Any], pick: int) -> dict[str, Any]:
    required, declared = schema.get("required") or (), schema.get("properties") or {}
    found: dict[str, Any] = {}
    for name, acceptable in answer.items():
        values = acceptable_values(acceptable)
        if name in required:
            values = [one for one in values if one != LEFT_OUT] or values
        if values and (values[pick] != LEFT_OUT or name in required):
            found[name] = given(values[pick], declared.get(name) or {}, pick)
    return found


def given(value: Any, schema: Mapping[str, Any], pick: int) -> Any:
    """One value that an acceptable one stands for: an object has lists of them, too."""
    if isinstance(value, dict):
        return _args(value, schema, pick)
    if isinstance(value, list):
        items = schema.get("items") or {}
        return [given(item, items, pick) if isinstance(item, dict) else item for item in value]
    return value


def tried(row: Row, seed: int) -> Iterator[tuple[str, Asked]]:
    """Kind of change, and the answer."""
    own = own_calls(row)
    yield OWN, Asked(row, own)
    others = own_calls(row, LAST)
    if others != own:
        yield OWN_OTHERS, Asked(row, others)
    for kind, change in CHANGES.items():
        changed = change(row, own, random.Random(f"{seed}:{row.id}:{kind}"))
        if changed is not None and not alike(changed, own):
            yield kind, Asked(row, changed)


def alike(one: Calls, other: Calls) -> bool:
    """Whether they are written the same: in Python 5 equals 5.0, and true equals 1."""
    return json.dumps(one) == json.dumps(other)


def _one_argument(
    change: Callable[[Any, random.Random], Any],
) -> Callable[[Row, Calls, random.Random], Calls | None]:
    def changed(row: Row, own: Calls, rng: random.Random) -> Calls | None:
        places = [(at, name) for at, call in enumerate(own) for name in call.args]
        if not places:
            return None
        at, name = rng.choice(places)
        return _with(own, at, {**own[at].args, name: change(own[at].args[name], rng)})

    return changed


def _with(own: Calls, at: int, args: dict[str, Any]) -> Calls:
    return (*own[:at], own[at]._replace(args=args), *own[at + 1 :])


def _another_value(value: Any, rng: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 10))
    if isinstance(value, float):
        return value + rng.choice((-1.0, 0.5, 1e-9))
    if isinstance(value, str):
        return rng.choice((f"{value} x", value[:-1], f"-{value}", ""))
    if isinstance(value, list):
        return rng.choice((value[:-1], value[::-1], [*value, *value[:1]], []))
    if isinstance(value, dict) and value:
        name = rng.choice(list(value))
        return {**value, name: _another_value(value[name], rng)}
    return "something else"


def _another_spelling(value: Any, rng: random.Random) -> Any:
    """The same to a person, or nearly."""
    if isinstance(value, str):
        how = rng.choice(SPELLINGS)
        return how(value)
    if isinstance(value, list):
        return [_another_spelling(item, rng) for item in value]
    if isinstance(value, dict):
        return {name: _another_spelling(item, rng) for name, item in value.items()}
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return float(value) if type(value) is int else value


SPELLINGS: Sequence[Callable[[str], str]] = (
    str.upper,
    str.lower,
    lambda text: text.replace(" ", ""),
    lambda text: text.replace(" ", "_"),
    lambda text: re.sub(r"[,./*^-]", "", text),
    lambda text: text.replace(", ", ","),
    lambda text: f" {text}.",
)


INSIDE = 0.7
"""Share of objects of which a value changes its type, and not they themselves."""


def _another_type(value: Any, rng: random.Random) -> Any:
    if isinstance(value, bool):
        return rng.choice(("true" if value else "false", int(value)))
    if isinstance(value, int):
        return rng.choice((str(value), float(value), bool(value), [value]))
    if isinstance(value, float):
        return rng.choice((str(value), [value]))
    if isinstance(value, str):
        return rng.choice(([value], {"value": value}, None, 1))
    if isinstance(value, list):
        return rng.choice(
            (value[0] if value else "", {str(at): item for at, item in enumerate(value)})
        )
    if isinstance(value, dict) and value and rng.random() < INSIDE:
        name = rng.choice(list(value))
        return {**value, name: _another_type(value[name], rng)}
    return rng.choice((str(value), [value]))


def _missing(row: Row, own: Calls, rng: random.Random) -> Calls | None:
    places = [(at, name) for at, call in enumerate(own) for name in call.args]
    if not places:
        return None
    at, name = rng.choice(places)
    return _with(own, at, {key: one for key, one in own[at].args.items() if key != name})


def _invented(row: Row, own: Calls, rng: random.Random) -> Calls | None:
    if not own:
        return None
    at = rng.randrange(len(own))
    return _with(own, at, {**own[at].args, "not_a_parameter": 1})


def _declared(own: Called, row: Row) -> Mapping[str, Any]:
    """Parameters of the call's function that it does not give."""
    found = next((one for one in row.functions if one["name"] == own.name), None)
    declared: Mapping[str, Any] = (found["parameters"].get("properties") or {}) if found else {}
    return {name: one for name, one in declared.items() if name not in own.args}


def _default_given(row: Row, own: Calls, rng: random.Random) -> Calls | None:
    for at, call in enumerate(own):
        defaults = {
            n: one["default"] for n, one in _declared(call, row).items() if "default" in one
        }
        if defaults:
            name = rng.choice(list(defaults))
            return _with(own, at, {**call.args, name: defaults[name]})
    return None


def _empty_given(row: Row, own: Calls, rng: random.Random) -> Calls | None:
    for at, call in enumerate(own):
        if left := list(_declared(call, row)):
            return _with(own, at, {**call.args, rng.choice(left): LEFT_OUT})
    return None


def _renamed(row: Row, own: Calls, rng: random.Random) -> Calls | None:
    if not own:
        return None
    at = rng.randrange(len(own))
    others = [one["name"] for one in row.functions if one["name"] != own[at].name]
    name = rng.choice(others) if others else own[at].name + "_x"
    return (*own[:at], own[at]._replace(name=name), *own[at + 1 :])


def _extra(row: Row, own: Calls, rng: random.Random) -> Calls | None:
    return (*own, rng.choice(own)) if own else None


def _dropped(row: Row, own: Calls, rng: random.Random) -> Calls | None:
    at = rng.randrange(len(own)) if own else 0
    return own[:at] + own[at + 1 :]


def _reordered(row: Row, own: Calls, rng: random.Random) -> Calls | None:
    return own[::-1]


CHANGES: Mapping[str, Callable[[Row, Calls, random.Random], Calls | None]] = {
    "value changed": _one_argument(_another_value),
    "value spelt otherwise": _one_argument(_another_spelling),
    "value of another type": _one_argument(_another_type),
    "argument missing": _missing,
    "argument invented": _invented,
    "default given": _default_given,
    "empty text given": _empty_given,
    "tool renamed": _renamed,
    "call too many": _extra,
    "call dropped": _dropped,
    "calls reordered": _reordered,
}
