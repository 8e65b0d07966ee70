"""One declaration, two faces (SPEC C1, C2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from faultloop.loop.contract import Contract, ContractError

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "body": {"type": "string"}},
    "required": ["title"],
}

FULL = Contract(
    name="create_pull_request",
    purpose="Open a pull request.",
    parameters=SCHEMA,
    when="the branch is pushed.",
    when_not="one is open already.",
    paths="none are taken.",
    returns="the number of the request.",
    continuation="it is never cut.",
    example={"title": "Fix ü"},
    mistake="an empty title.",
    cancellable=True,
    honours_key=True,
    risk="medium",
    verify_with="find_pull_requests",
    depends_on=("run_command",),
    output_budget_bytes=77_777,
    aliases=("open_pr",),
)
BARE = Contract(name="look", purpose="Look.", parameters=SCHEMA)


def test_the_description_holds_every_part_that_was_declared() -> None:
    assert FULL.description() == (
        "Open a pull request.\n"
        "Use it when: the branch is pushed.\n"
        "Do not use it when: one is open already.\n"
        "Paths: none are taken.\n"
        "Returns: the number of the request.\n"
        "Long output: it is never cut.\n"
        'Example: {"title": "Fix ü"}\n'
        "Common mistake: an empty title."
    )
    assert BARE.description() == "Look."


def test_no_runtime_field_enters_the_models_face() -> None:
    face = FULL.face()
    assert face.keys() == {"name", "description", "parameters", "strict"}
    told = json.dumps(face)
    for hidden in ("medium", "find_pull_requests", "run_command", "77777", "open_pr", "cancel"):
        assert hidden not in told


def test_what_is_not_declared_takes_the_careful_side() -> None:
    undeclared = Contract.from_manifest({"name": "t", "description": "", "parameters": {}})
    assert undeclared == Contract(
        name="t", purpose="", parameters={"type": "object", "properties": {}}
    )
    assert not undeclared.read_only
    assert undeclared.concurrency_safe is False
    assert not undeclared.idempotent
    assert not undeclared.honours_key
    assert not undeclared.cancellable
    assert undeclared.destructive
    assert undeclared.open_world
    assert undeclared.risk == "high"


HINTS: list[tuple[dict[str, Any], str, object]] = [
    ({"readOnlyHint": True}, "read_only", True),
    ({"readOnlyHint": "true"}, "read_only", False),
    ({"readOnlyHint": 1}, "read_only", False),
    ({"idempotentHint": True}, "idempotent", True),
    ({"faultloop/concurrencySafe": True}, "concurrency_safe", True),
    ({"faultloop/concurrencySafe": None}, "concurrency_safe", False),
    ({"faultloop/cancellable": True}, "cancellable", True),
    ({"faultloop/honoursKey": True}, "honours_key", True),
    ({"faultloop/verifyWith": "find"}, "verify_with", "find"),
    ({"faultloop/verifyWith": 5}, "verify_with", None),
    ({"faultloop/dependsOn": ["a", "b"]}, "depends_on", ("a", "b")),
    ({"destructiveHint": False}, "destructive", False),
    ({"destructiveHint": 0}, "destructive", True),
    ({"openWorldHint": False}, "open_world", False),
    ({"openWorldHint": "no"}, "open_world", True),
    ({"faultloop/risk": "low"}, "risk", "low"),
    ({"faultloop/risk": "none"}, "risk", "high"),
    ({"readOnlyHint": True}, "risk", "low"),
    ({"destructiveHint": False}, "risk", "medium"),
    ({"destructiveHint": False, "faultloop/risk": "high"}, "risk", "high"),
]


@pytest.mark.parametrize(("hints", "name", "value"), HINTS)
def test_a_hint_counts_only_where_it_is_exactly_right(
    hints: dict[str, Any], name: str, value: object
) -> None:
    contract = Contract.from_manifest({"name": "t", "parameters": SCHEMA, "annotations": hints})
    assert getattr(contract, name) == value


def test_a_manifest_reads_back_as_the_same_two_faces() -> None:
    again = Contract.from_manifest(json.loads(json.dumps(FULL.manifest())))
    assert again.manifest() == FULL.manifest()
    assert again.annotations() == FULL.annotations()
    assert again.face() == FULL.face()


def test_a_function_of_the_arguments_is_not_safe_for_other_runtimes() -> None:
    contract = Contract(
        name="t", purpose="p", parameters=SCHEMA, concurrency_safe=lambda args: True
    )
    assert contract.annotations()["faultloop/concurrencySafe"] is False


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"parameters": SCHEMA}, "has no name"),
    ({"name": "", "parameters": SCHEMA}, "has no name"),
    ({"name": "read the file!", "parameters": SCHEMA}, "a tool cannot be called 'read the file!'"),
    ({"name": "t\n", "parameters": SCHEMA}, "a tool cannot be called"),
    ({"name": "t" * 65, "parameters": SCHEMA}, "at most 64"),
    ({"name": "t", "parameters": {"type": "array"}}, "the parameters of t must be the JSON Schema"),
    ({"name": "t", "parameters": [1]}, "the parameters of t must be the JSON Schema"),
    ({"name": "t", "parameters": {"type": "object", "properties": {"a": {"type": "wordd"}}}},
     "the parameters of t are no JSON Schema"),
    ({"name": "t", "parameters": {"$ref": "http://localhost:9/schema"}}, "Retrieval is disabled"),
    ({"name": "t", "parameters": SCHEMA, "annotations": ["x"]}, "annotations of t"),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "sentence"), WRONG)
def test_a_wrong_declaration_is_refused_with_the_tools_name(
    entry: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ContractError, match=sentence):
        Contract.from_manifest(entry)
