"""What texts and schemas say of names, when names change."""

from __future__ import annotations

import pytest

from faultloop.scenarios.wordings.reading.renaming import in_schema, in_text

NAMES = {"read_file": "view", "grep": "look", "n": "count", "startLine": "first"}

TEXTS = (
    ("Use read_file.", "Use view."),
    ("用read_file读取", "用view读取"),
    ("pre_read_file, read_files, read-file, read_file-2", None),
    ("grep for n things", None),
    ("`grep` for `n` things, ``grep``", "`look` for `count` things, ``look``"),
    ("from startLine on", "from first on"),
    ("view and look", None),
    ("", None),
)


@pytest.mark.parametrize(("text", "renamed"), TEXTS)
def test_texts_follow_where_a_name_is_meant(text: str, renamed: str | None) -> None:
    assert in_text(text, NAMES) == (text if renamed is None else renamed)
    assert in_text(text, {}) == text


def test_names_can_change_places_in_a_text() -> None:
    assert in_text(
        "read_file, write_file", {"read_file": "write_file", "write_file": "read_file"}
    ) == ("write_file, read_file")


def test_all_that_speaks_of_the_same_object_follows() -> None:
    schema = {
        "properties": {"a": {"properties": {"a": {}}, "required": ["a"]}, "b": {"enum": ["a"]}},
        "required": ["a"],
        "anyOf": [{"required": ["a"]}, {"properties": {"a": {"const": 1}}}],
        "not": {"required": ["a", "b"]},
        "dependentSchemas": {"a": {"required": ["a"]}},
        "dependentRequired": {"a": ["b"], "b": ["a"]},
        "$defs": {"x": {"$ref": "#/properties/a/properties/a"}},
    }
    assert in_schema(schema, {"a": "z"}) == {
        # What lies deeper has names of its own.
        "properties": {"z": {"properties": {"a": {}}, "required": ["a"]}, "b": {"enum": ["a"]}},
        "required": ["z"],
        "anyOf": [{"required": ["z"]}, {"properties": {"z": {"const": 1}}}],
        "not": {"required": ["z", "b"]},
        "dependentSchemas": {"z": {"required": ["z"]}},
        "dependentRequired": {"z": ["b"], "b": ["z"]},
        "$defs": {"x": {"$ref": "#/properties/z/properties/a"}},
    }
