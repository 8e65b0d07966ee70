"""The shipped wordings: the base is as good as the linter can tell, and each variant differs in the
one way that its name says."""

from __future__ import annotations

import re

import pytest

from faultloop.bench.linting.finding import find

from .coding_agent_files import FOLDER, TOOLS, VARIANTS, all_tasks, edits

TEXTS = ("purpose", "when", "when_not", "paths", "returns", "continuation", "mistake")
REQUIRED_PARTS = {"purpose", "when", "when_not", "returns", "example", "mistake", "parameters"}

TELLING_CHARS = 8
"""A shorter value (`main`, `src`) is in many requests and tells nothing."""

each_variant = pytest.mark.parametrize("variant", VARIANTS)


def test_the_linter_finds_nothing_in_the_base() -> None:
    tools, findings = find([str(FOLDER / "full.yaml")])
    assert len(tools) == len(TOOLS) == 30
    assert findings == ()


def test_every_contract_of_the_base_has_all_parts() -> None:
    assert not [name for name, tool in TOOLS.items() if tool.keys() < REQUIRED_PARTS]


def test_no_example_gives_a_task_away() -> None:
    """Else a wording with examples is better by what it tells of the test."""
    values = [
        (tool, value)
        for tool, contract in TOOLS.items()
        for value in contract["example"].values()
        if isinstance(value, str) and len(value) >= TELLING_CHARS
    ]
    told = [
        (*one, task["id"]) for task in all_tasks() for one in values if one[1] in task["prompt"]
    ]
    assert told == []


def test_only_these_wordings_are_shipped() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} == {"full", *VARIANTS}


@each_variant
def test_a_variant_speaks_of_every_tool_in_the_order_of_the_base(variant: str) -> None:
    assert list(edits(variant)) == list(TOOLS)


@each_variant
def test_a_variant_drops_only_what_is_there_and_what_it_does_not_say(variant: str) -> None:
    for name, edit in edits(variant).items():
        assert set(edit.get("drop", ())) <= TOOLS[name].keys()
        assert not edit.keys() & set(edit.get("drop", ()))


@pytest.mark.parametrize(
    ("variant", "part"), [("no_when_not", "when_not"), ("no_examples", "example")]
)
def test_one_part_is_gone_and_nothing_else_differs(variant: str, part: str) -> None:
    assert all(edit == {"drop": [part]} for edit in edits(variant).values())


def test_swapped_describes_each_tool_as_the_next() -> None:
    names = list(TOOLS)
    for name, following in zip(names, [*names[1:], names[0]], strict=True):
        edit, other = edits("swapped")[name], TOOLS[following]
        said = {part: edit.get(part) for part in TEXTS}
        assert said == {part: other.get(part) for part in TEXTS}
        kept = TOOLS[name].keys() & {*TEXTS, "example"} - other.keys() | {"example"}
        assert set(edit["drop"]) == kept


def test_anonymous_speaks_of_no_tool_by_its_name() -> None:
    spoken = re.compile("|".join(TOOLS))
    renamed = [edit["rename"] for edit in edits("anonymous").values()]
    assert renamed == [f"tool_{number}" for number in range(1, len(TOOLS) + 1)]
    for name, edit in edits("anonymous").items():
        said = [str(edit.get(part, TOOLS[name].get(part, ""))) for part in TEXTS]
        docs = str(TOOLS[name]["parameters"])
        assert not spoken.search(" ".join([*said, docs]))


def test_anonymous_names_the_same_neighbours_as_the_base() -> None:
    number = {name: edit["rename"] for name, edit in edits("anonymous").items()}
    for name, edit in edits("anonymous").items():
        for part in edit.keys() - {"rename"}:
            said = re.sub("|".join(TOOLS), lambda found: number[found[0]], TOOLS[name][part])
            assert edit[part] == said


def test_vague_leaves_a_short_sentence_and_no_parameter_docs() -> None:
    for name, edit in edits("vague").items():
        tool = TOOLS[name]
        assert len(edit["purpose"].split()) <= 4
        assert set(edit["drop"]) == tool.keys() & {*TEXTS, "example"} - {"purpose"}
        parameters = tool["parameters"]["properties"]
        assert edit["parameters"] == {one: {"description": None} for one in parameters}


def test_terse_leaves_one_sentence() -> None:
    for name, edit in edits("terse").items():
        assert edit["purpose"].endswith(".")
        assert ". " not in edit["purpose"]
        assert set(edit["drop"]) == TOOLS[name].keys() & {*TEXTS, "example"} - {"purpose"}
