"""Raw text in; parsed, repaired or rejected out (SPEC P2, P4, P5, P7)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from faultloop.loop.arguments import (
    Parsed,
    Reading,
    Rejected,
    Repaired,
    canonical,
    mended,
    read,
    replayable,
)
from faultloop.loop.complaint import PROBLEMS_MAX, complaint, shape
from faultloop.loop.contract import Contract
from faultloop.loop.output import EXCERPT_BYTES
from faultloop.loop.repairs import REPAIRS

FIELDS: dict[str, Any] = {
    "path": {"type": "string"},
    "limit": {"type": "integer"},
    "tags": {"type": "array", "items": {"type": "string"}},
    "sizes": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
    "mode": {"enum": ["fast", "slow"]},
}


def tool(*, read_only: bool, required: tuple[str, ...] = ("path",)) -> Contract:
    return Contract(
        name="look" if read_only else "write",
        purpose="A tool.",
        parameters={"type": "object", "properties": FIELDS, "required": list(required)},
        read_only=read_only,
        parameter_aliases={"file": "path", "filename": "path", "mode": "path"},
        example={"path": "a.txt"},
    )


LOOK = tool(read_only=True)
LOOK_AT_WILL = tool(read_only=True, required=())
WRITE = tool(read_only=False)
WRITE_AT_WILL = tool(read_only=False, required=())
STRICT = replace(WRITE, strict="preferred")
NOW = Contract(name="now", purpose="The time.", parameters={"type": "object", "properties": {}})


def encoded(text: str, *, times: int) -> str:
    """The text as a JSON string, so many times over."""
    for _ in range(times):
        text = json.dumps(text)
    return text


GLUED = '{"nope": 1} {"path": "a"}\n{"path": "b"}'

GOOD: list[tuple[str, Contract, dict[str, Any], tuple[str, ...]]] = [
    # text, tool, arguments, what was mended
    ('{"path": "a"}', WRITE, {"path": "a"}, ()),
    (' {"path": "a", "limit": 3}\n', WRITE, {"path": "a", "limit": 3}, ()),
    ('{"path": "a", "limit": 3.0}', WRITE, {"path": "a", "limit": 3.0}, ()),
    ('{"path": "a", "sizes": null}', WRITE, {"path": "a", "sizes": None}, ()),
    ('{"path": "a", "path": "b"}', LOOK, {"path": "b"}, ("keep_last:path",)),
    ("", LOOK_AT_WILL, {}, ("empty_object",)),
    (" \n", NOW, {}, ("empty_object",)),
    ('"{\\"path\\": \\"a\\"}"', WRITE, {"path": "a"}, ("unwrap_string",)),
    (encoded('{"path": "a"}', times=3), LOOK, {"path": "a"}, ("unwrap_string",)),
    (encoded('{"path": "a", "path": "b"}', times=3), LOOK, {"path": "b"},
     ("unwrap_string", "keep_last:path")),
    ('{"path": "a"}{"path": "b"}', LOOK, {"path": "a"}, ("split_glued:1 of 2",)),
    (GLUED, LOOK, {"path": "a"}, ("split_glued:2 of 3",)),
    ('{"file": "a"}', WRITE, {"path": "a"}, ("rename_parameters:file->path",)),
    ('{"file": "a"}{"x": 1}', LOOK, {"path": "a"},
     ("split_glued:1 of 2", "rename_parameters:file->path")),
    ('{"path": "a", "tags": ["x"]}', WRITE, {"path": "a", "tags": ["x"]}, ()),
    ('{"path": "a", "tags": "[\\"x\\"]"}', WRITE, {"path": "a", "tags": ["x"]},
     ("list_parameters:tags",)),
    ('{"path": "a", "tags": "x"}', WRITE, {"path": "a", "tags": ["x"]}, ("list_parameters:tags",)),
    ('{"path": "a", "sizes": 7}', WRITE, {"path": "a", "sizes": [7]}, ("list_parameters:sizes",)),
    ('{"path": "a", "sizes": "[7]", "tags": "x"}', WRITE, {"path": "a", "sizes": [7],
     "tags": ["x"]}, ("list_parameters:tags", "list_parameters:sizes")),
    ('{"path": "a", "limit": null, "sizes": null}', STRICT, {"path": "a", "sizes": None},
     ("strict_nulls:/limit",)),
]  # fmt: skip

BAD: list[tuple[str, Contract, str]] = [
    # text, tool, what the model is told
    ("", WRITE_AT_WILL, "this tool changes things"),
    ("", LOOK, "path: missing"),
    ('{"path": "a', WRITE, "not valid JSON: Unterminated string starting at line 1, column 10"),
    ('{"path":\n "a" "b"}', WRITE, "Expecting ',' delimiter at line 2, column 6"),
    ('{"path": "a"', LOOK, "line 1, column 13"),
    ('{"path": "a"}{"path": "b"}', WRITE, "2 JSON objects are glued together"),
    ('{"path": "a"}{"pa', LOOK, "Extra data at line 1, column 14"),
    ('{"path": "a"} done', LOOK, "Extra data"),
    ('{"path": "a"}[1]', LOOK, "Extra data"),
    ("[1]", LOOK, "a JSON object is expected, but a list was received"),
    ("null", WRITE, "but null was received"),
    ("true", WRITE, "but a boolean was received"),
    ('"hello"', WRITE, "but a string was received"),
    (encoded('{"path": "a"}', times=4), LOOK, "but a string was received"),
    ('{"path": 5}', WRITE, "path: expected string, received 5 (write it in quotes)"),
    ('{"path": "a", "limit": "5"}', WRITE, 'limit: expected integer, received "5"'),
    ('{"path": "a", "limit": null}', WRITE, "limit: expected integer, received null"),
    ('{"path": null}', STRICT, "path: expected string, received null"),
    ('{"path": "a", "limit": true}', WRITE, "limit: expected integer, received true"),
    ('{"path": "a", "mode": "warp"}', WRITE, 'mode: expected one of "fast", "slow"'),
    ('{"path": "a", "tags": ["x", 1]}', WRITE, "tags[1]: expected string, received 1"),
    ('{"path": "a", "tags": "[\\"x\\""}', WRITE, "tags: expected array"),
    ('{"path": "a", "tags": "[1]"}', WRITE, "tags: expected array"),
    ('{"path": "a", "limt": 5}', WRITE, "limt: there is no such parameter (did you mean limit?)"),
    ('{"path": "a", "file": "b"}', WRITE, "file: there is no such parameter"),
    ('{"path": "a", "limit": NaN}', WRITE, "NaN is not a JSON value"),
    ('{"path": "a", "limit": 1e999}', WRITE, "the number 1e999 is too large"),
    ('{"path": "\\ud800"}', WRITE, "half a character"),
    ("[" * 100_000, WRITE, "nested deeper than 100 levels"),
    ('{"path": "a", "limit": ' + "9" * 5_000 + "}", WRITE, "5000 digits"),
]


@pytest.mark.parametrize(("text", "contract", "args", "steps"), GOOD)
def test_text_becomes_arguments_and_every_repair_is_named(
    text: str, contract: Contract, args: dict[str, Any], steps: tuple[str, ...]
) -> None:
    reading = read(text, contract)
    if steps:
        assert isinstance(reading, Repaired)
        assert (reading.args, reading.steps) == (args, steps)
        assert reading.warning.count(".") >= len(steps), "a repair without a sentence is silent"
    else:
        assert reading == Parsed(args=args)


@pytest.mark.parametrize(("text", "contract", "told"), BAD)
def test_what_cannot_be_used_is_told_with_place_and_cure(
    text: str, contract: Contract, told: str
) -> None:
    reading = read(text, contract)
    assert isinstance(reading, Rejected)
    assert reading.code == "INVALID_ARGS"
    assert told in reading.message
    assert "Nothing was run" in reading.message
    for part in ("Received: ", "What to do: ", "Expected: "):
        assert part in reading.message


def test_the_rest_of_glued_objects_is_reported_as_not_run() -> None:
    reading = read('{"path": "a"}{"path": "b"}', LOOK)
    assert isinstance(reading, Repaired)
    assert 'only number 1 was run, {"path": "a"}' in reading.warning
    assert "The rest was not run" in reading.warning


def test_a_name_that_the_schema_declares_is_never_taken_for_a_misspelling() -> None:
    reading = read('{"mode": "fast"}', LOOK)
    assert isinstance(reading, Rejected)
    assert "path: missing" in reading.message


def test_a_schema_may_admit_undeclared_parameters_by_saying_so() -> None:
    closed = Contract(name="t", purpose="p", parameters={"properties": {}})
    opened = Contract(
        name="t", purpose="p", parameters={"properties": {}, "additionalProperties": True}
    )
    assert isinstance(read('{"x": 1}', closed), Rejected)
    assert read('{"x": 1}', opened) == Parsed(args={"x": 1})


@pytest.mark.parametrize("name", REPAIRS)
def test_no_repair_of_the_table_is_idle(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mended = [row for row in GOOD if any(step.split(":")[0] == name for step in row[3])]
    assert mended, f"no row of the table needs {name}"
    monkeypatch.delitem(REPAIRS, name)
    for text, contract, args, steps in mended:
        reading = read(text, contract)
        assert not isinstance(reading, Repaired) or (reading.args, reading.steps) != (args, steps)


TWICE = '{"path": "a", "limit": 1, "path": "b"}'
"""Readers of JSON take the second path, and the model may have meant the first."""


@pytest.mark.parametrize("text", [TWICE, json.dumps(TWICE)], ids=["plain", "encoded"])
def test_a_tool_with_effects_is_not_given_one_of_two_values_under_one_key(text: str) -> None:
    reading = read(text, WRITE)
    assert isinstance(reading, Rejected)
    assert 'the key "path" is given more than once' in reading.message


def test_what_was_received_is_quoted_within_its_bound() -> None:
    text = '{"path": "' + "ä" * 50_000
    reading = read(text, WRITE)
    assert isinstance(reading, Rejected)
    quoted = reading.message.split("Received: ")[1].split("\nWhat to do")[0]
    assert 0.9 * EXCERPT_BYTES < len(quoted.encode()) <= EXCERPT_BYTES
    assert "100010 bytes in all" in quoted


def test_the_quotation_shows_the_place_of_the_error_in_a_long_text() -> None:
    text = '{"path": "' + "a" * 10_000 + '" HERE ' + " " * 10_000 + "}"
    reading = read(text, WRITE)
    assert isinstance(reading, Rejected)
    assert "HERE" in reading.message


def test_of_many_faults_the_first_are_told_and_that_there_are_more() -> None:
    properties = {f"p{n}": {"type": "string"} for n in range(PROBLEMS_MAX + 1)}
    contract = Contract(name="t", purpose="p", parameters={"properties": properties})
    told = complaint(contract, dict.fromkeys(properties, 1)).problem
    assert told.count("expected string") == PROBLEMS_MAX
    assert told.endswith("; and more")
    told = complaint(contract, {"p0": 1, "p1": "fine"}).problem
    assert told == "p0: expected string, received 1 (write it in quotes)"


def test_many_faults_do_not_flood_the_model() -> None:
    text = json.dumps({f"unknown_{n}": "x" * 1000 for n in range(1000)})
    reading = read(text, WRITE)
    assert isinstance(reading, Rejected)
    assert len(reading.message.encode()) < 8_000


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@given(text=st.text() | JSON_VALUES.map(json.dumps))
def test_no_text_makes_reading_raise_and_no_repair_invents_a_value(text: str) -> None:
    for contract in (LOOK, WRITE, NOW):
        reading: Reading = read(text, contract)
        if isinstance(reading, Parsed | Repaired):
            assert contract.validator.is_valid(reading.args)
        if isinstance(reading, Parsed):
            assert reading.args == json.loads(text)


PIECES = (
    "path",
    "a",
    '"',
    '"path": "a"',
    ", ",
    "{",
    "}",
    "[",
    "1e999",
    "NaN",
    "\\u0041",
    "\\ud800",
)
FIELD_VALUES = st.none() | st.integers() | st.floats() | st.text() | st.lists(st.text())
NEARLY_RIGHT = st.dictionaries(st.sampled_from([*FIELDS, "file"]), FIELD_VALUES).map(json.dumps)
BROKEN = st.lists(st.sampled_from(PIECES)).map("".join)
BARE = replace(WRITE, parameter_aliases={})


@given(
    text=st.text() | NEARLY_RIGHT | BROKEN,
    contract=st.sampled_from([LOOK, LOOK_AT_WILL, WRITE, STRICT, BARE]),
)
def test_the_short_way_gives_what_the_long_way_gives(text: str, contract: Contract) -> None:
    assert read(text, contract) == mended(text, contract)


@pytest.mark.parametrize(("text", "contract"), [(text, tool) for text, tool, *_ in [*GOOD, *BAD]])
def test_the_short_way_is_taken_by_none_who_needs_the_long_one(
    text: str, contract: Contract
) -> None:
    bare = replace(contract, parameter_aliases={})
    assert read(text, bare) == mended(text, bare)


@given(text=st.text() | JSON_VALUES.map(json.dumps))
def test_what_is_replayed_is_always_one_json_object(text: str) -> None:
    assert isinstance(json.loads(replayable(text)), dict)


REPLAYED = [
    ('{"path": "a"} ', '{"path": "a"} '),
    ('"{\\"path\\": \\"a\\"}"', '{"path": "a"}'),
    ('{"a": 1}{"b": 2}', '{"a": 1}'),
    ('{"path": "a', "{}"),
    ("", "{}"),
    ("[1]", "{}"),
]


@pytest.mark.parametrize(("text", "replayed"), REPLAYED)
def test_a_good_text_is_replayed_as_it_stood(text: str, replayed: str) -> None:
    assert replayable(text) == replayed


def test_equal_arguments_have_one_spelling() -> None:
    assert canonical({"b": 1, "a": "ä"}) == '{"a":"ä","b":1}' == canonical({"a": "ä", "b": 1})


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("\udc80")
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@given(st.dictionaries(st.text(), VALUES))
@example({"b": 2**70, "a": [1e16, {"c": 0.1}]})
@example({"half a character": "\ud800"})
def test_that_spelling_is_the_standard_librarys(args: dict[str, Any]) -> None:
    spelt = json.dumps(args, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert canonical(args) == spelt


def test_what_is_no_json_has_no_spelling() -> None:
    with pytest.raises(TypeError):
        canonical({"when": [{1, 2}]})


SHAPES: list[tuple[dict[str, Any], tuple[str, ...], str]] = [
    ({}, (), "{} (the tool takes no parameters)"),
    ({"a": {"type": "string"}}, ("a",), '{"a": string}'),
    ({"a": {"type": "string"}}, (), '{"a"?: string} (? marks an optional one)'),
    ({"a": {"type": ["integer", "null"]}}, ("a",), '{"a": integer | null}'),
    ({"a": {"type": "array", "items": {"type": "number"}}}, ("a",), '{"a": [number, ...]}'),
    ({"a": {"type": "array"}}, ("a",), '{"a": [anything, ...]}'),
    ({"a": {"enum": ["x", 1]}}, ("a",), '{"a": "x" | 1}'),
    (
        {"a": {"$ref": "#/properties/b"}, "b": True},
        ("a",),
        '{"a": see the schema, "b"?: anything} (? marks an optional one)',
    ),
]


@pytest.mark.parametrize(("properties", "required", "line"), SHAPES)
def test_the_expected_object_is_told_in_one_line(
    properties: dict[str, Any], required: tuple[str, ...], line: str
) -> None:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    assert shape(Contract(name="t", purpose="p", parameters=parameters)) == line
