"""How matchers are written: plain JSON in, matchers out, and back.

A mapping with the key of a kind is that matcher; beside the key stand only the kind's options. All
other values are `exact`, and so are lists and mappings, unless there are matchers in them: then
they are matched item by item (`in_order`) and field by field (`fields`). A literal object that has
a key like a kind's is written `exact: {...}`.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, cast

from pydantic import (
    PlainSerializer,
    PlainValidator,
    SerializeAsAny,
    ValidationError,
    WithJsonSchema,
)

from faultloop.loop.strict_json import JSONValue
from faultloop.scenarios.places import Place
from faultloop.scenarios.sentences import Complaint, complaint, describe, nearest, written_at
from faultloop.scenarios.wordings.matchers import KINDS, Exact, Fields, InOrder, Matcher

MARK = "Matcher"
"""Stands for the schema of all matchers until `reading.schemas` puts that in."""


class BadMatcher(ValueError):
    """What is written is no matcher: what is wrong, and where below it."""

    def __init__(self, place: Place, sentence: str) -> None:
        super().__init__(sentence)
        self.complaint = Complaint(place, sentence)


def read(written: Any, place: Place = ()) -> Matcher:
    """The matcher that is written so. Raises BadMatcher, with the place below `place`."""
    if isinstance(written, Matcher):
        return written
    if isinstance(written, dict):
        kinds = [key for key in written if key in KINDS]
        if kinds:
            return _of_kind(kinds, written, place)
        return _object(written, place)
    if isinstance(written, list):
        members = [read(item, (*place, at)) for at, item in enumerate(written)]
        is_literal = all(map(_stands_for, members, written))
        return Exact(exact=written) if is_literal else InOrder(in_order=tuple(members))
    if isinstance(written, float) and not math.isfinite(written):
        raise BadMatcher(place, "JSON has no such number; write one that is finite")
    return Exact(exact=written)


def written(matcher: Matcher) -> JSONValue:
    """As short as it may stand in a task file; reading that gives an equal matcher."""
    if isinstance(matcher, Exact) and _is_exact(matcher.exact):
        return cast(JSONValue, matcher.exact)
    kind = next(key for key, model in KINDS.items() if type(matcher) is model)
    found: dict[str, JSONValue] = {}
    for name, field in type(matcher).model_fields.items():
        key = field.alias or name
        if key == kind or name in matcher.model_fields_set:
            found[key] = _held(getattr(matcher, name))
    return found


def _held(value: Any) -> JSONValue:
    """What a field of a matcher holds: matchers, in a tuple or a mapping, or plain JSON."""
    if isinstance(value, tuple):
        return [written(member) for member in value]
    if isinstance(value, dict) and all(isinstance(member, Matcher) for member in value.values()):
        return {key: written(member) for key, member in value.items()}
    return cast(JSONValue, value)


Written = Annotated[
    SerializeAsAny[Matcher],
    PlainValidator(read),
    PlainSerializer(written, return_type=Any),
    WithJsonSchema({"const": MARK}),
]
"""The type of a field that holds a matcher in any of its forms."""


def _is_exact(value: JSONValue) -> bool:
    try:
        return read(value) == Exact(exact=value)
    except BadMatcher:
        return False


def _stands_for(matcher: Matcher, written: JSONValue) -> bool:
    return isinstance(matcher, Exact) and matcher.exact is written


def _object(written: dict[str, Any], place: Place) -> Matcher:
    members = {key: read(value, (*place, key)) for key, value in written.items()}
    is_literal = all(map(_stands_for, members.values(), written.values()))
    return Exact(exact=written) if is_literal else Fields(fields=members)


def _of_kind(kinds: list[str], written: dict[str, Any], place: Place) -> Matcher:
    kind, *others = kinds
    if others:
        raise BadMatcher(
            place,
            f"{kind!r} and {others[0]!r} are two kinds of matcher; keep one of them, or write"
            " 'exact: {...}' around an object that is meant as it stands",
        )
    model = KINDS[kind]
    options = {field.alias or name for name, field in model.model_fields.items()}
    for key in written:
        if key not in options:
            raise BadMatcher(
                (*place, key),
                f"a matcher of the kind {kind!r} has no option {key!r};"
                f" {nearest(key, options - {kind}, noun='options')}; an object that is meant as it"
                " stands is written 'exact: {...}'",
            )
    given = {
        key: _members(value, (*place, key)) if key in model.holds else value
        for key, value in written.items()
    }
    try:
        return model.model_validate(given)
    except ValidationError as error:
        found = [_told(each, written) for each in error.errors(include_url=False)]
        raise BadMatcher((*place, *found[0].place), found[0].sentence) from None


def _members(held: Any, place: Place) -> Any:
    if isinstance(held, list):
        return tuple(read(item, (*place, at)) for at, item in enumerate(held))
    if isinstance(held, dict):
        return {key: read(value, (*place, key)) for key, value in held.items()}
    return held


def _told(error: Any, data: JSONValue) -> Complaint:
    """One error of pydantic; those of the kinds' own validators are sentences already."""
    if error["type"] == "value_error":
        place = tuple(part for part in error["loc"] if isinstance(data, dict) and part in data)
        return Complaint(place, str(error["ctx"]["error"]))
    if error["type"] in ("int_type", "float_type"):  # of a number that may be either
        place = written_at(error["loc"], cast(Any, data))
        return Complaint(place, f"it must be a number, not {describe(error['input'])}")
    return complaint(error, cast(Any, data))
