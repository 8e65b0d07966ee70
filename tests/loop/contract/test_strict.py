"""Strict forms of schemas, why there is none, and the way back (SPEC C11)."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultloop.loop.contract.references import admits_null, is_object
from faultloop.loop.contract.strict import (
    ANTHROPIC,
    NESTING_MAX,
    OPENAI,
    PROPERTIES_MAX,
    Converted,
    NotConvertible,
    strict_form,
)
from faultloop.loop.contract.strict_nulls import nulls_left_out

TEXT: dict[str, Any] = {"type": "string"}
Schema = dict[str, Any]


def closed(properties: Schema, *required: str) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


POINT = {"type": "object", "properties": {"x": TEXT, "y": TEXT}, "required": ["x"]}

FORMS: list[tuple[str, Schema, Schema]] = [
    # what, one property, the same in strict form where it is optional
    ("a type gets null beside it", TEXT, {"type": ["string", "null"]}),
    ("types that have null stay", {"type": ["string", "null"]}, {"type": ["string", "null"]}),
    ("an enum takes null", {"enum": ["a"]}, {"enum": ["a", None], "type": ["string", "null"]}),
    ("an enum that has null stays", {"enum": ["a", None]},
     {"enum": ["a", None], "type": ["null", "string"]}),
    ("a constant is an enum of one", {"const": 5},
     {"enum": [5, None], "type": ["integer", "null"]}),
    ("one of several is any of them", {"oneOf": [TEXT, {"type": "integer"}]},
     {"anyOf": [TEXT, {"type": "integer"}, {"type": "null"}]}),
    ("any of several with null stays", {"anyOf": [TEXT, {"type": "null"}]},
     {"anyOf": [TEXT, {"type": "null"}]}),
    ("a reference becomes an alternative", {"$ref": "#/$defs/P", "description": "d"},
     {"description": "d", "anyOf": [{"$ref": "#/$defs/P"}, {"type": "null"}]}),
    ("a nested object is closed, its optional fields nullable", POINT,
     closed({"x": TEXT, "y": {"type": ["string", "null"]}}, "x", "y")
     | {"type": ["object", "null"]}),
    ("items are converted", {"type": "array", "items": POINT, "minItems": 1},
     {"type": ["array", "null"], "minItems": 1,
      "items": closed({"x": TEXT, "y": {"type": ["string", "null"]}}, "x", "y")}),
    ("titles, defaults and examples go without a word",
     {"type": "string", "title": "T", "default": "d", "examples": ["e"], "description": "kept"},
     {"type": ["string", "null"], "description": "kept"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "strict"), [row[1:] for row in FORMS], ids=[r[0] for r in FORMS]
)
def test_an_optional_property_may_be_null_instead(schema: Schema, strict: Schema) -> None:
    definitions = (
        {
            "P": closed(
                {},
            )
        }
        if "$ref" in schema
        else None
    )
    given_schema = {"type": "object", "properties": {"p": schema}}
    if definitions:
        given_schema["$defs"] = definitions
    form = strict_form(given_schema)
    assert isinstance(form, Converted), form
    assert form.schema["properties"]["p"] == strict
    assert form.schema["required"] == ["p"]
    assert form.schema["additionalProperties"] is False


def test_a_required_property_stays_as_it_is() -> None:
    form = strict_form({"type": "object", "properties": {"p": TEXT}, "required": ["p"]})
    assert form == Converted(closed({"p": TEXT}, "p"))


def test_the_optional_ones_are_named_by_place() -> None:
    form = strict_form({"properties": {"a/b": TEXT, "c": {"type": "array", "items": POINT}}})
    assert isinstance(form, Converted)
    assert form.nullable == (
        "/properties/a~1b",
        "/properties/c/items/properties/y",
        "/properties/c",
    )


def test_keywords_that_a_decoder_does_not_know_are_left_out_with_their_place() -> None:
    form = strict_form(closed({"p": {"type": "string", "maxLength": 5, "format": "uri"}}, "p"))
    assert isinstance(form, Converted)
    assert form.schema["properties"]["p"] == TEXT
    assert list(map(str, form.left_out)) == [
        "/properties/p: maxLength is only checked here",
        "/properties/p: format is only checked here",
    ]


def deep(levels: int) -> Schema:
    schema: Schema = TEXT
    for _ in range(levels):
        schema = closed({"n": schema}, "n")
    return schema


REFUSED: list[tuple[Schema, str]] = [
    ({"type": "object", "additionalProperties": True}, "the root: an object that takes further"),
    ({"type": "object", "additionalProperties": TEXT}, "the root: an object that takes further"),
    ({"anyOf": [POINT]}, "the root must be one plain object"),
    ({"$ref": "#/$defs/P", "$defs": {"P": POINT}}, "the root must be one plain object"),
    (closed({"p": {}}), "/properties/p: any value at all cannot be decoded"),
    (closed({"p": True}), "/properties/p: any value at all cannot be decoded"),
    (closed({"p": {"description": "d"}}), "/properties/p: any value at all"),
    (closed({"p": {"type": "object"}}), "/properties/p: an object that takes further properties"),
    (closed({"p": {"type": "array"}}), "/properties/p: a list of anything"),
    (closed({"p": {"allOf": [TEXT], "type": "string"}}), "/properties/p: allOf: schemas that must"),
    (closed({"p": {"type": "object", "patternProperties": {"^a": TEXT}}}), "patternProperties"),
    ({"properties": {}, "if": {}, "then": {}}, "the root: if: a condition"),
    (closed({"p": {"anyOf": [POINT, {**POINT, "required": ["y"]}]}}, "p"),
     "/properties/p: alternatives that are objects with optional properties"),
    (deep(NESTING_MAX + 2), f"nested deeper than {NESTING_MAX} levels"),
    (closed({f"p{n}": TEXT for n in range(PROPERTIES_MAX + 1)}), "more than 5000 properties"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "reason"), REFUSED, ids=[row[1][:60] for row in REFUSED])
def test_what_has_no_strict_form_is_told_with_place_and_reason(schema: Schema, reason: str) -> None:
    form = strict_form(schema)
    assert isinstance(form, NotConvertible)
    assert reason in str(form)


def test_all_reasons_are_told_at_once() -> None:
    form = strict_form(closed({"a": {}, "b": {"type": "array"}}))
    assert isinstance(form, NotConvertible)
    assert len(form.reasons) == 2


TREE = {
    "type": "object",
    "properties": {"t": {"$ref": "#/$defs/T"}},
    "required": ["t"],
    "$defs": {"T": closed({"kids": {"type": "array", "items": {"$ref": "#/$defs/T"}}}, "kids")},
}


def test_recursion_is_for_those_who_take_it() -> None:
    assert isinstance(strict_form(TREE, OPENAI), Converted)
    form = strict_form(TREE, ANTHROPIC)
    assert isinstance(form, NotConvertible)
    assert "refers to itself, which Anthropic refuses" in str(form)


def test_anthropic_keeps_optional_what_is_optional() -> None:
    form = strict_form({"properties": {"a": TEXT, "b": {**TEXT, "default": "x"}},
                        "required": ["a"]}, ANTHROPIC)  # fmt: skip
    assert form == Converted(closed({"a": TEXT, "b": {**TEXT, "default": "x"}}, "a"))


# --- the way back ------------------------------------------------------------------------------

NESTED: Schema = {
    "type": "object",
    "properties": {
        "must": TEXT,
        "may": TEXT,
        "may_be_null": {"type": ["string", "null"]},
        "point": POINT,
        "points": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/P"}}, {"type": "null"}]},
        "free": {},
    },
    "required": ["must"],
    "$defs": {"P": POINT},
}

BACK: list[tuple[Schema, Schema, tuple[str, ...]]] = [
    ({"must": "m", "may": None}, {"must": "m"}, ("/may",)),
    ({"must": None}, {"must": None}, ()),
    ({"must": "m", "may_be_null": None}, {"must": "m", "may_be_null": None}, ()),
    ({"must": "m", "free": None}, {"must": "m", "free": None}, ()),
    ({"must": "m", "unknown": None}, {"must": "m", "unknown": None}, ()),
    ({"must": "m", "point": {"x": "x", "y": None}}, {"must": "m", "point": {"x": "x"}},
     ("/point/y",)),
    ({"must": "m", "points": [{"x": "x", "y": None}, {"x": None, "y": "y"}]},
     {"must": "m", "points": [{"x": "x"}, {"x": None, "y": "y"}]}, ("/points/0/y",)),
    ({"must": "m", "points": None}, {"must": "m", "points": None}, ()),
]  # fmt: skip


@pytest.mark.parametrize(("args", "meant", "places"), BACK)
def test_nulls_that_mean_left_out_go_and_are_named(
    args: Schema, meant: Schema, places: tuple[str, ...]
) -> None:
    assert nulls_left_out(args, NESTED) == (meant, places)


ADMITTING: list[tuple[Any, bool]] = [
    ({}, True),
    (True, True),
    (False, False),
    ({"type": "null"}, True),
    ({"type": "string"}, False),
    ({"enum": [None, 1]}, True),
    ({"const": None}, True),
    ({"const": 0}, False),
    ({"oneOf": [TEXT, {"type": "null"}]}, True),
    ({"allOf": [{"type": ["string", "null"]}, {}]}, True),
    ({"allOf": [TEXT, {}]}, False),
    ({"$ref": "#/$defs/nullable"}, True),
    ({"$ref": "#/$defs/circle"}, False),
    ({"$ref": "#/$defs/text/type"}, True),  # leads to what is no schema: says nothing
    ({"$ref": "elsewhere.json"}, True),  # is never fetched: says nothing
]
DEFINED = {
    "$defs": {
        "nullable": {"type": ["string", "null"]},
        "text": TEXT,
        "circle": {"anyOf": [{"$ref": "#/$defs/circle"}, TEXT]},
    }
}


@pytest.mark.parametrize(("schema", "admits"), ADMITTING)
def test_whether_null_may_stand_there(schema: Any, admits: bool) -> None:
    assert admits_null(schema, DEFINED) is admits


def test_a_circle_of_references_is_left_where_it_is() -> None:
    circle = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    assert not is_object({"$ref": "#/$defs/a"}, circle)


def test_a_schema_that_doubles_with_each_reference_is_converted_in_no_time() -> None:
    definitions = {
        f"d{n}": closed({side: {"$ref": f"#/$defs/d{n + 1}"} for side in "lr"}, "l", "r")
        for n in range(60)
    }
    definitions["d60"] = closed({})
    schema = {**closed({"p": {"$ref": "#/$defs/d0"}}, "p"), "$defs": definitions}
    assert isinstance(strict_form(schema, ANTHROPIC), Converted)


def test_a_reference_that_leads_nowhere_ends() -> None:
    schema: Schema = {
        "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"$ref": "#/$defs/A"}},
    }
    assert nulls_left_out({"a": {"b": 1}}, schema).args == {"a": {"b": 1}}
    assert not admits_null(schema["properties"]["a"], schema)


LEAVES = st.sampled_from(
    [TEXT, {"type": "integer"}, {"type": ["string", "null"]}, {"enum": ["a", 1]}, {"const": None}]
)


def objects(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    properties = st.dictionaries(st.sampled_from("abc"), inner, min_size=1, max_size=3)
    return properties.flatmap(
        lambda made: st.builds(
            lambda needed: closed(made, *sorted(needed)), st.sets(st.sampled_from(sorted(made)))
        )
    )


SCHEMAS = objects(
    st.recursive(
        LEAVES,
        lambda inner: objects(inner) | inner.map(lambda item: {"type": "array", "items": item}),
        max_leaves=6,
    )
)


def filled(schema: Schema, data: st.DataObject) -> Any:
    """A value that the strict form of a schema admits."""
    if "enum" in schema:
        return data.draw(st.sampled_from(schema["enum"]))
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    match data.draw(st.sampled_from(kinds)):
        case "object":
            return {name: filled(part, data) for name, part in schema["properties"].items()}
        case "array":
            return [filled(schema["items"], data)]
        case "string":
            return "s"
        case "integer":
            return 7
    return None


@given(schema=SCHEMAS, data=st.data())
def test_what_a_strict_decoder_may_write_is_valid_once_its_nulls_are_left_out(
    schema: Schema, data: st.DataObject
) -> None:
    form = strict_form(schema)
    assert isinstance(form, Converted)
    written = filled(form.schema, data)
    assert jsonschema_rs.validator_for(form.schema).is_valid(written)
    meant = nulls_left_out(written, schema)
    assert jsonschema_rs.validator_for(schema).is_valid(meant.args)
