"""BFCL's possible answers as matchers.

A parameter has a list of acceptable values. An empty text among them says that it may be left out;
a parameter with nothing else must not be given. An object has such a list for each of its keys.
Texts are compared by their words, which is what the leaderboard's own comparison is for; numbers,
booleans, null and what lies deeper than its checker looks are taken as they stand. A value that the
parameter's own schema refuses is no acceptable one, unless it is the only one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jsonschema_rs

from faultloop.loop.contract import Contract
from faultloop.scenarios.wordings.bfcl.json_types import TYPES
from faultloop.scenarios.wordings.matchers import Exact, Fields, InOrder, Matcher, OneOf, Words
from faultloop.scenarios.wordings.matchers.kind import json_type
from faultloop.scenarios.wordings.task import Choice

LEFT_OUT = ""
"""Among acceptable values: the parameter may be left out."""


def choice_of(contract: Contract, function: Mapping[str, Any], answer: Mapping[str, Any]) -> Choice:
    """What a call of a function must be, by one of a row's answers."""
    narrowed = {
        name: admitted(acceptable_values(acceptable), contract.properties.get(name))
        for name, acceptable in answer.items()
    }
    args, may_have = _members(function["parameters"], narrowed)
    return Choice(tool=contract.name, args=args, may_have=may_have)


def admitted(values: list[Any], schema: Any) -> list[Any]:
    """Those that the parameter's own schema admits; all where there would be none. Objects are
    written in another form here, and looked at where the whole answer is."""
    if schema is None or not any(_is_bounded(schema, value) for value in values):
        return values
    validator = jsonschema_rs.validator_for(schema)
    kept = [one for one in values if one == LEFT_OUT or _holds(one) or validator.is_valid(one)]
    return kept or values


def _is_bounded(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether the schema may refuse a value of BFCL's: compiling it takes its time."""
    return "enum" in schema or ("type" in schema and json_type(value) not in _types(schema))


def _types(schema: Mapping[str, Any]) -> list[str]:
    found = schema["type"]
    named = found if isinstance(found, list) else [found]
    return ["number" if one == "integer" else one for one in named]


def _holds(value: Any) -> bool:
    """Whether it is an object, or a list with one in it."""
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(item, dict) for item in value)
    )


def _members(
    schema: Mapping[str, Any], answer: Mapping[str, Any]
) -> tuple[dict[str, Matcher], dict[str, Matcher]]:
    """What must be given, and what may be."""
    declared = schema.get("properties") or {}
    required = schema.get("required") or ()
    args: dict[str, Matcher] = {}
    may_have: dict[str, Matcher] = {}
    for name, acceptable in answer.items():
        values = acceptable_values(acceptable)
        is_optional = LEFT_OUT in values and name not in required
        kept = [value for value in values if value != LEFT_OUT]
        if not kept and not is_optional:
            kept = values  # the empty text itself
        if kept:
            matcher = _any_of([_value(one, declared.get(name) or {}) for one in kept])
            (may_have if is_optional else args)[name] = matcher
    return args, may_have


def acceptable_values(acceptable: Any) -> list[Any]:
    """The list of them; where there is a bare value instead, that one."""
    return acceptable if isinstance(acceptable, list) else [acceptable]


def _any_of(members: Sequence[Matcher]) -> Matcher:
    distinct = [one for at, one in enumerate(members) if one not in members[:at]]
    return distinct[0] if len(distinct) == 1 else OneOf(one_of=tuple(distinct))


def _value(value: Any, schema: Mapping[str, Any]) -> Matcher:
    kind = TYPES.get(schema.get("type", "any"))
    if isinstance(value, str) and kind in ("string", None):
        return Words(words=value)
    if isinstance(value, list) and kind in ("array", None):
        items = schema.get("items") or {}
        members = [_item(one, items) for one in value]
        if any(type(one) is not Exact for one in members):
            return InOrder(in_order=tuple(members))
    if isinstance(value, dict) and kind == "object":
        fields, may_have = _members(schema, value)
        if may_have:
            return Fields(fields=fields, may_have=may_have)
        return Fields(fields=fields)
    return Exact(exact=value)


def _item(value: Any, schema: Mapping[str, Any]) -> Matcher:
    """An item of a list: a list in it is taken as it stands."""
    if isinstance(value, str):
        return Words(words=value)
    return Exact(exact=value) if isinstance(value, list) else _value(value, schema)
