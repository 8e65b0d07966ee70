from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.scenarios.wordings.bfcl.small_bfcl import laid_out

from faultloop.scenarios.wordings.bfcl.answers import choice_of
from faultloop.scenarios.wordings.bfcl.importing import imported
from faultloop.scenarios.wordings.bfcl.json_types import schema_of
from faultloop.scenarios.wordings.bfcl.source import CATEGORIES, BadSource, find
from faultloop.scenarios.wordings.bfcl.writing import write
from faultloop.scenarios.wordings.matchers.reading import written
from faultloop.scenarios.wordings.reading.tasks import load_tasks
from faultloop.scenarios.wordings.reading.wordings import load_wording

TYPES: tuple[tuple[dict[str, Any], str, Any], ...] = (
    ({"type": "float"}, "python", {"type": "number"}),
    ({"type": "any", "description": "x"}, "python", {"description": "x"}),
    (
        {"type": "tuple", "items": {"type": "dict"}},
        "python",
        {"type": "array", "items": {"type": "object"}},
    ),
    (
        {"type": "string", "enum": ["a"], "default": None},
        "python",
        {"type": ["string", "null"], "enum": ["a", None], "default": None},
    ),
    ({"type": "long"}, "java", {"type": ["integer", "string"]}),
    ({"type": "String"}, "javascript", {"type": "string"}),
    (
        {"type": "dict", "properties": {"a": {"type": "bool"}}, "required": ["a", "b"]},
        "python",
        {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]},
    ),
    ({"type": "integer", "optional": True, "format": "id"}, "python", {"type": "integer"}),
)


@pytest.mark.parametrize(("parameter", "language", "schema"), TYPES, ids=str)
def test_a_type_is_json_schemas_word_for_it(
    parameter: dict[str, Any], language: str, schema: Any
) -> None:
    top = schema_of({"type": "dict", "properties": {"x": parameter}}, language)
    assert top == {"type": "object", "properties": {"x": schema}}


def test_a_type_that_nobody_knows_is_no_text() -> None:
    with pytest.raises(KeyError):
        schema_of({"type": "dict", "properties": {"x": {"type": "quaternion"}}}, "python")


def test_a_row_becomes_a_task_with_its_tools_and_matchers(tmp_path: Path) -> None:
    found = imported(laid_out(tmp_path), "multiple")
    first, chinese, other = found.tasks
    assert (first.id, first.system, first.prompt) == ("multiple_0", "Be brief.", "Play Maroon 5.")
    (choice,) = first.calls[0].any_of
    artist = {"one_of": [{"words": "Maroon 5"}, {"words": "Maroon Five"}]}
    assert {name: written(one) for name, one in choice.args.items()} == {"artist": artist}
    assert {name: written(one) for name, one in choice.may_have.items()} == {"minutes": 20.0}
    assert chinese.language == "zh"
    assert first.cluster == chinese.cluster != other.cluster


def test_names_are_legal_and_no_two_functions_share_one(tmp_path: Path) -> None:
    found = imported(laid_out(tmp_path), "multiple")
    names = [tool for task in found.tasks for tool in task.tools]
    assert len(set(names)) == len(found.wording.contracts) == 3
    dotted, plain = found.tasks[0].tools
    assert plain == "music_play"
    assert dotted.startswith("music_play_")
    assert found.tasks[2].tools == ("music_play__2",)


def test_a_row_whose_answer_contradicts_its_function_is_left_out_with_the_reason(
    tmp_path: Path,
) -> None:
    (left_out,) = imported(laid_out(tmp_path), "multiple").left_out
    assert left_out.id == "multiple_3"
    assert "requires 'artist'" in left_out.says


def test_no_call_and_any_call_are_expected_where_no_answer_is_written_down(tmp_path: Path) -> None:
    source = laid_out(tmp_path)
    (irrelevant,) = imported(source, "irrelevance").tasks
    assert irrelevant.expect == "no call"
    (relevant,) = imported(source, "live_relevance").tasks
    assert {choice.tool for choice in relevant.calls[0].any_of} == set(relevant.tools)


NESTED = {
    "type": "dict",
    "required": ["who", "note"],
    "properties": {
        "who": {
            "type": "dict",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        },
        "note": {"type": "string"},
        "points": {"type": "array", "items": {"type": "array"}},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}


def test_objects_have_acceptable_values_for_each_key(tmp_path: Path) -> None:
    contract = imported(laid_out(tmp_path), "multiple").tools.contracts["music_play"]
    answer = {
        "who": [{"name": ["Ann"], "age": [3, ""]}],
        "note": [""],
        "points": [[[1, 2]]],
        "tags": [["a b"], ""],
        "never": [""],
    }
    choice = choice_of(contract, {"name": "f", "parameters": NESTED}, answer)
    assert {name: written(one) for name, one in choice.args.items()} == {
        "who": {"fields": {"name": {"words": "Ann"}}, "may_have": {"age": 3}},
        "note": {"words": ""},
        "points": [[1, 2]],
    }
    assert [written(one) for one in choice.may_have.values()] == [{"in_order": [{"words": "a b"}]}]


def test_what_is_written_reads_back_as_the_same_wording_and_tasks(tmp_path: Path) -> None:
    source = laid_out(tmp_path)
    for category in ("multiple", "simple_java", "irrelevance", "live_relevance"):
        found = imported(source, category)
        wording, tasks = write(found, tmp_path / "out", "1.0")
        assert load_wording(wording).fingerprint == found.wording.fingerprint
        assert load_tasks(tasks, load_wording(wording)).tasks == found.tasks


def test_the_data_is_found_from_the_folder_the_package_and_the_data(tmp_path: Path) -> None:
    data = laid_out(tmp_path).data
    assert {find(one).data for one in (tmp_path, data.parent, data)} == {data}


def test_a_folder_without_it_and_a_broken_line_are_told_with_their_place(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="there is no file"):
        find(tmp_path)
    source = laid_out(tmp_path)
    (source.data / "BFCL_v4_multiple.json").write_text('{"id": "a"}\n{"id":\n')
    with pytest.raises(BadSource, match=r"BFCL_v4_multiple\.json:2: this line"):
        source.rows("multiple")
    (source.data / "BFCL_v4_multiple.json").write_text('{"id": "a"}\n')
    with pytest.raises(BadSource, match="another form: KeyError"):
        source.rows("multiple")


def test_every_category_has_a_file_of_its_own(tmp_path: Path) -> None:
    source = laid_out(tmp_path)
    assert {one for one in CATEGORIES if source.rows(one)} == {
        "multiple", "irrelevance", "live_relevance", "simple_java"
    }  # fmt: skip
