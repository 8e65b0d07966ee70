"""Every dialect derives from the one declaration, and no runtime field enters it (SPEC C1, C11)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from faultloop.fakes.ledger import Ledger
from faultloop.fakes.world.spec import PaymentsSpec, PullRequestsSpec, WorldSpec
from faultloop.fakes.world.world import World
from faultloop.loop.contract import Contract, ContractError
from faultloop.loop.contract.rendering import DIALECTS, StrictImpossible, mcp, render
from faultloop.loop.contract.rendering.rendered import WANTED
from faultloop.loop.tools.command import RUN_COMMAND

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "minLength": 1, "description": "Where."},
        "limit": {"type": "integer", "minimum": 1, "default": 10},
    },
    "required": ["path"],
}
CLOSED: dict[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}

FULL = Contract(
    name="read_part",
    purpose="Read a part of a file.",
    parameters=PARAMETERS,
    when="the file is long.",
    when_not="it is short.",
    paths="relative to the workspace.",
    returns="the lines asked for.",
    continuation="it is cut at the limit; ask again from the next line.",
    example={"path": "a.txt"},
    mistake="a limit of 0.",
    # The runtime's face, each value one that stands nowhere else.
    read_only=False,
    concurrency_safe=True,
    idempotent=True,
    honours_key=True,
    cancellable=True,
    destructive=False,
    open_world=False,
    risk="medium",
    output_budget_bytes=77_777,
    depends_on=("prepare_the_ground",),
    concludes=True,
    verify_with="look_whether_it_happened",
    aliases=("peruse_part",),
    parameter_aliases={"filename_": "path"},
)

RUNTIME_WORDS = (
    "readOnly", "read_only", "concurrency", "idempotent", "honours", "cancellable", "destructive",
    "openWorld", "open_world", "medium", "risk", "77777", "budget", "prepare_the_ground",
    "depends", "conclude", "look_whether_it_happened", "verify", "peruse_part", "filename_",
    "faultloop", "Hint",
)  # fmt: skip

WORLD = WorldSpec(
    files={},
    commands={},
    pull_requests=PullRequestsSpec(),
    ci=("passed",),
    payments=PaymentsSpec(),
)
WORLDS_TOOLS = [Contract.from_manifest(tool.manifest()) for tool in World(WORLD, Ledger()).tools()]
EVERY_TOOL = [FULL, RUN_COMMAND, *WORLDS_TOOLS]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_runtime_field_enters_what_a_provider_is_sent(dialect: Any) -> None:
    told = json.dumps(render(FULL.face(), dialect).tool)
    assert not [word for word in RUNTIME_WORDS if word in told]
    for part in (FULL.purpose, FULL.when, FULL.when_not, FULL.continuation, FULL.mistake):
        assert part in told


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("contract", EVERY_TOOL, ids=lambda contract: contract.name)
def test_every_tool_there_is_can_be_spelt_without_its_runtime_face(
    contract: Contract, dialect: Any
) -> None:
    told = json.dumps(render(contract.face(), dialect).tool)
    assert contract.name in told
    assert json.dumps(contract.description()) in told
    assert not [word for word in ("Hint", "faultloop/", contract.risk + '"') if word in told]


NAME_AND_TEXT = {"name": "read_part", "description": FULL.description()}


def test_each_dialect_puts_the_same_face_under_its_own_keys() -> None:
    face = FULL.face()
    assert render(face, "openai_chat").tool == {
        "type": "function",
        "function": {**NAME_AND_TEXT, "parameters": PARAMETERS},
    }
    assert render(face, "openai_responses").tool == {
        "type": "function",
        **NAME_AND_TEXT,
        "parameters": PARAMETERS,
        "strict": False,  # left out it would mean true
    }
    assert render(face, "anthropic_messages").tool == {**NAME_AND_TEXT, "input_schema": PARAMETERS}
    assert render(face, "gemini").tool == {**NAME_AND_TEXT, "parametersJsonSchema": PARAMETERS}


def test_mcp_has_both_faces_apart() -> None:
    listed = mcp.render(FULL)
    assert listed == {
        **NAME_AND_TEXT,
        "inputSchema": PARAMETERS,
        "annotations": {
            "readOnlyHint": False,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        "_meta": {
            "faultloop/concurrencySafe": True,
            "faultloop/honoursKey": True,
            "faultloop/cancellable": True,
            "faultloop/risk": "medium",
            "faultloop/verifyWith": "look_whether_it_happened",
            "faultloop/dependsOn": ["prepare_the_ground"],
        },
    }


def test_what_mcp_lists_reads_back_as_the_same_runtime_face() -> None:
    listed = mcp.render(FULL)
    again = Contract.from_manifest(
        {"name": "t", "parameters": listed["inputSchema"], "annotations": mcp.hints(listed)}
    )
    assert again.annotations() == FULL.annotations()


def test_a_foreign_key_of_meta_is_no_hint() -> None:
    assert mcp.hints({"annotations": None, "_meta": {"other/risk": "low", "readOnlyHint": 1}}) == {}


def test_a_schema_that_leaves_its_type_to_be_understood_is_spelt_out_where_that_is_needed() -> None:
    face = Contract(name="now", purpose="p", parameters={"properties": {}}).face()
    assert render(face, "anthropic_messages").tool["input_schema"]["type"] == "object"
    assert "parametersJsonSchema" not in render(face, "gemini").tool


def test_a_name_that_only_one_dialect_refuses_is_refused_there() -> None:
    face = Contract(name="7zip", purpose="p", parameters=CLOSED).face()
    assert render(face, "openai_chat").tool["function"]["name"] == "7zip"
    with pytest.raises(ContractError, match="Gemini takes no tool that is called 7zip"):
        render(face, "gemini")


# --- strict ------------------------------------------------------------------------------------

PLAIN = Contract(name="read_file", purpose="p", parameters=CLOSED)
OPEN = replace(PLAIN, parameters={"type": "object", "additionalProperties": True})

POLICY: list[tuple[Any, Any, bool]] = [
    # the tool's wish, the provider's setting, whether it is strict
    (None, None, False),
    (None, "off", False),
    (None, "preferred", True),
    (None, "required", True),
    ("off", None, False),
    ("off", "off", False),
    ("off", "preferred", False),
    ("preferred", None, True),
    ("preferred", "off", False),
    ("preferred", "preferred", True),
    ("preferred", "required", True),
    ("required", None, True),
    ("required", "preferred", True),
    ("required", "required", True),
]
CONTRADICTIONS: list[tuple[Any, Any]] = [("off", "required"), ("required", "off")]


def test_the_table_of_wishes_and_settings_is_whole() -> None:
    decided = {(wish, setting) for wish, setting, _ in POLICY if setting is not None}
    assert decided | set(CONTRADICTIONS) == set(WANTED)


@pytest.mark.parametrize(("wish", "setting", "strict"), POLICY)
def test_strict_follows_from_the_tools_wish_and_the_providers_setting(
    wish: Any, setting: Any, strict: bool
) -> None:
    face = replace(PLAIN, strict=wish).face()
    assert render(face, "openai_chat", setting).strict is strict
    assert ("strict" in render(face, "openai_chat", setting).tool["function"]) is strict
    assert render(face, "openai_responses", setting).tool["strict"] is strict
    assert ("strict" in render(face, "anthropic_messages", setting).tool) is strict


@pytest.mark.parametrize(("wish", "setting"), CONTRADICTIONS)
def test_a_tool_and_a_provider_that_contradict_each_other_are_told_so(
    wish: Any, setting: Any
) -> None:
    with pytest.raises(StrictImpossible, match=f"read_file is {wish} by the tool, but {setting}"):
        render(replace(PLAIN, strict=wish).face(), "openai_chat", setting)


def test_preferred_falls_back_and_says_so() -> None:
    rendered = render(replace(OPEN, strict="preferred").face(), "openai_chat")
    assert not rendered.strict
    assert rendered.tool["function"]["parameters"] == OPEN.parameters
    (note,) = rendered.notes
    assert note.startswith("read_file is decoded without constraint: its parameters have no strict")
    assert "further properties" in note


def test_a_preferred_tool_at_a_provider_that_is_off_says_so() -> None:
    rendered = render(replace(PLAIN, strict="preferred").face(), "openai_chat", "off")
    assert rendered.notes == ("read_file: strict decoding is off at this provider",)


IMPOSSIBLE: list[tuple[Contract, Any, str]] = [
    (OPEN, "openai_chat", "read_file requires strict decoding, but: its parameters have no strict"),
    (PLAIN, "gemini", "gemini has no strict decoding of a single tool's arguments"),
]


@pytest.mark.parametrize(("contract", "dialect", "sentence"), IMPOSSIBLE)
def test_required_and_impossible_is_an_error_that_says_why(
    contract: Contract, dialect: Any, sentence: str
) -> None:
    with pytest.raises(StrictImpossible, match=sentence):
        render(replace(contract, strict="required").face(), dialect)


def test_a_tool_that_says_nothing_is_not_made_to_read_null_as_left_out() -> None:
    undeclared = replace(PLAIN, parameters=PARAMETERS)
    rendered = render(undeclared.face(), "openai_chat", "preferred")
    assert not rendered.strict
    assert "declare strict on the tool itself" in rendered.notes[0]
    # Where optional parameters stay optional there is nothing to allow.
    assert render(undeclared.face(), "anthropic_messages", "preferred").strict


def test_what_only_local_validation_enforces_is_noted() -> None:
    rendered = render(replace(FULL, strict="required").face(), "openai_chat")
    assert rendered.notes == ("read_part: /properties/path: minLength is only checked here",)
