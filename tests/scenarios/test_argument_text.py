"""Argument texts: strict reading, sameness, and what may differ."""

from __future__ import annotations

import pytest

from faultloop.scenarios.argument_text import (
    Malformed,
    canonical,
    differences,
    meanings,
    parse,
    readings,
    same,
)

LIST = {"paths": {"type": "array"}}


@pytest.mark.parametrize("text", ["", "{", "{} {}", "NaN", '{"a":Infinity}', "{'a':1}", "[" * 9999])
def test_what_is_not_one_json_value_is_malformed(text: str) -> None:
    assert isinstance(parse(text), Malformed)


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ("1", 1, False),
        ({"a": [1, {"b": None}]}, {"a": [1.0, {"b": None}]}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([1, 2], [2, 1], False),
    ],
)
def test_values_are_the_same_only_with_their_types(
    one: object, other: object, verdict: bool
) -> None:
    assert same(one, other) is verdict
    assert (canonical(one) == canonical(other)) is verdict


@pytest.mark.parametrize("given", [["a"], [["a"]]])
def test_a_list_parameter_takes_its_one_item(given: list[object]) -> None:
    assert not list(differences({"paths": given[0]}, {"paths": given}, LIST))


def test_a_list_parameter_takes_its_own_text() -> None:
    assert not list(differences({"paths": '["a"]'}, {"paths": ["a"]}, LIST))


def test_other_parameters_do_not() -> None:
    assert list(differences({"path": '["a"]'}, {"path": ["a"]}, {"path": {"type": "string"}}))


def test_a_declared_name_is_never_taken_for_a_misspelling() -> None:
    declared: dict[str, object] = {"old": {}, "new": {}}
    assert list(differences({"old": "x"}, {"new": "x"}, declared)) == [
        "old = 'x' was dropped",
        "new = 'x' was added",
    ]


def test_glued_objects_are_read_apart_only_if_there_is_nothing_else() -> None:
    assert [reading.arguments for reading in readings('{"a":1} {"b":2}')] == [{"a": 1}, {"b": 2}]
    assert readings('{"a":1}{"b":') == ()
    assert readings('{"a":1}[2]') == ()


def test_different_rubbish_means_different_things() -> None:
    assert not meanings("{a") & meanings("{b")
    assert meanings('{"a": 1}') & meanings('"{\\"a\\":1}"')
