"""JSON and nothing but JSON, with a place for what is wrong."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultloop.loop.strict_json import (
    DEPTH_MAX,
    Glued,
    JSONValue,
    NotJSON,
    Value,
    read,
    read_glued,
    repeated_key,
)

JSON_VALUES: st.SearchStrategy[JSONValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)  # fmt: skip


@given(value=JSON_VALUES, ascii_only=st.booleans(), indent=st.none() | st.integers(0, 2))
def test_what_the_standard_allows_is_read_as_it_stands(
    value: JSONValue, ascii_only: bool, indent: int | None
) -> None:
    assert read(json.dumps(value, ensure_ascii=ascii_only, indent=indent)) == Value(value)


@given(values=st.lists(JSON_VALUES, min_size=1, max_size=4), space=st.sampled_from(["", " ", "\n"]))
def test_glued_values_come_apart_again(values: list[JSONValue], space: str) -> None:
    # Lists, so that two numbers in a row do not become one.
    text = space.join(json.dumps([value]) for value in values)
    assert read_glued(text) == Glued(tuple([value] for value in values))


REFUSED = [
    ("", "Expecting value at line 1, column 1"),
    ('{"a": 1,}', "at line 1, column 9"),
    ('{\n "a": tru }', "Expecting value at line 2, column 7"),
    ("{'a': 1}", "at line 1, column 2"),
    ("[1] [2]", "Extra data at line 1, column 5"),
    ("NaN", "NaN is not a JSON value"),
    ("[-Infinity]", "-Infinity is not a JSON value"),
    ("1e400", "the number 1e400 is too large"),
    ("9" * 301, "a whole number has 301 digits"),
    ('"\\ude00"', "half a character"),
    ('{"\\ud83d": 1}', "half a character"),
    ("[" * (DEPTH_MAX + 1) + "]" * (DEPTH_MAX + 1), "nested deeper than 100 levels"),
    ("[" * 1_000_000, "nested deeper than 100 levels"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_is_not_is_refused_with_its_place(text: str, reason: str) -> None:
    refused = read(text)
    assert isinstance(refused, NotJSON)
    assert reason in str(refused)


ACCEPTED = [
    "[" * DEPTH_MAX + "]" * DEPTH_MAX,
    json.dumps(["[" * 500, '\\"[{' * 500]),  # brackets in strings are no depth
    "[" + ",".join(["{}"] * 500) + "]",  # many are not deep
    "9" * 300,
    '"\\ud83d\\ude00"',
]


@pytest.mark.parametrize("text", ACCEPTED, ids=lambda text: text[:8])
def test_what_only_looks_dangerous_is_read(text: str) -> None:
    assert read(text) == Value(json.loads(text))


@pytest.mark.parametrize("text", ['{"a": 1}{"a"', '{"a": 1} and', "[1]{"])
def test_one_cut_value_spoils_the_glued_ones(text: str) -> None:
    assert isinstance(read_glued(text), NotJSON)


@pytest.mark.parametrize("filling", ['\\"', "\\", 'x"', '"['], ids=repr)
def test_a_hostile_text_of_a_megabyte_is_read_in_one_pass(filling: str) -> None:
    # Looking for a string's end anew from each of its quotes took minutes here.
    text = "[" * (DEPTH_MAX + 1) + '"' + filling * (1_000_000 // len(filling))
    assert isinstance(read(text), NotJSON)


def test_brackets_in_strings_are_no_depth() -> None:
    deep = "[" * (DEPTH_MAX + 1)
    assert read(json.dumps([deep, '"' + deep, "\\" + deep])) == Value(
        [deep, '"' + deep, "\\" + deep]
    )


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"a": 1, "a": 1}', "a"),
        ('[{"b": {"c": 1, "\\u0063": 2}}]', "c"),
        ('[{"a": 1}, {"a": 2}]', None),
        ("no JSON", None),
    ],
)
def test_a_key_that_stands_twice_in_one_object_is_found(text: str, key: str | None) -> None:
    assert repeated_key(text) == key
