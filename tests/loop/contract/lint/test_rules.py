"""Each rule with tools that trip it and tools that do not; ours are clean (SPEC C8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from faultloop.fakes.ledger import Ledger
from faultloop.fakes.world.spec import PaymentsSpec, PullRequestsSpec, WorldSpec
from faultloop.fakes.world.world import World
from faultloop.loop.contract import Contract
from faultloop.loop.contract.lint import RULES, Specimen, lint
from faultloop.loop.contract.lint.rules.near_duplicate import SIMILARITY, similarity
from faultloop.loop.contract.lint.specimen import PARAMETERS_MAX
from faultloop.loop.tools.command import RUN_COMMAND


def schema(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def text(description: str = "A text.", **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


GOOD = Contract(
    name="append_line",
    purpose="Append one line to a text file of the workspace.",
    parameters=schema("path", path=text("The file.")),
    when="something is to be noted.",
    when_not="the file is not a text; use write_bytes.",
    paths="relative to the workspace's root.",
    returns="the number of lines there are now.",
    continuation="it is never long.",
)
"""A tool that no rule finds anything about."""


def like_good(**changes: Any) -> Contract:
    return replace(GOOD, **changes)


def with_parameter(name: str, described: dict[str, Any], **changes: Any) -> Contract:
    return like_good(parameters=schema(name, **{name: described}), **changes)


def foreign(description: str, **changes: Any) -> Contract:
    """A tool that is one text, as other programs declare them."""
    return Contract(
        **{"name": "t", "purpose": description, "parameters": GOOD.parameters, **changes}
    )


POINT = {"type": "object", "description": "Where.", "properties": {"x": text()}}
SESSION = with_parameter("session_id", text("The session."))
OPEN = like_good(name="open_thing", purpose="Open a thing for a while; gives its session id.")

Case = tuple[str, list[Contract], str]

TRIPS: list[Case] = [
    # rule, tools, part of what is seen
    ("action-switch", [with_parameter("action", text(enum=["list", "delete"]))],
     "action switches between list, delete; some of it reads and some changes things"),
    ("action-switch", [with_parameter("mode", text(enum=["createUser", "drop_user"]))],
     "mode switches between createUser, drop_user"),
    ("action-switch", [with_parameter("operation", text())], "in words that no schema limits"),
    ("fixed-order", [like_good(when_not="no; call prepare first.")], "call prepare first"),
    ("fixed-order", [like_good(returns="a line. You must open the file before.")], "must open"),
    ("fixed-order", [foreign("Commit what was staged. Only works after calling stage.")], "stage"),
    ("fixed-order", [OPEN, SESSION], "session_id can only come from open_thing"),
    ("dangerous-defaults", [like_good(parameters=schema(dir=text(default="/")))],
     'nothing is required, and dir is "/" if it is left out'),
    ("dangerous-defaults", [like_good(parameters=schema(force={"type": "boolean", "default": True,
                                                               "description": "F."}))],
     "force is true"),
    ("dangerous-defaults", [like_good(name="purge_cache", parameters=schema(age=text()))],
     "it can purge, and nothing is required"),
    ("vague", [like_good(purpose="Users.")], "all that it says of its purpose is 'Users.'"),
    ("vague", [like_good(purpose="Manages the users of a project.")], "its verb says nothing"),
    ("vague", [like_good(purpose="")], "it says no purpose"),
    ("no-when", [like_good(when="", when_not="never.")], "it does not say when to use it"),
    ("no-when", [foreign("Append one line to a file. Returns nothing.")], "when to use it"),
    ("no-when-not", [like_good(when_not="")], "when not to use it"),
    ("no-when-not", [foreign("Append a line. Use it to take notes.")], "when not to use it"),
    ("no-path-base", [like_good(paths="", purpose="Append one line to a text file.")],
     "nothing says what path is relative to"),
    ("no-path-base", [like_good(paths="", purpose="Append one line to a text file.",
                                parameters=schema(targetDir=text()))], "targetDir"),
    ("no-returns", [like_good(returns="")], "what comes back"),
    ("no-continuation", [like_good(name="search_notes", continuation="")], "may give much"),
    ("no-continuation", [like_good(continuation="", returns="all lines of the file.")],
     "what it returns may be long"),
    ("no-continuation", [with_parameter("cursor", text(), continuation="")], "cursor pages"),
    ("undescribed-parameter", [with_parameter("line", {"type": "string"})], "said of line"),
    ("no-example", [with_parameter("at", POINT)], "at has a form of its own"),
    ("no-example", [with_parameter("all", {"type": "array", "items": POINT, "description": "A."})],
     "all has a form"),
    ("no-example", [with_parameter("code", text(pattern="^[A-Z]{3}$"))], "code has a form"),
    ("no-example", [with_parameter("at", {"anyOf": [POINT, {"type": "null"}], "description": "A"})],
     "at has a form"),
    ("wrong-example", [like_good(example={"pth": "a.txt"})], "its example would be refused"),
    ("time-example", [with_parameter("since", text("From when on."))], "since is a time"),
    ("time-example", [with_parameter("x", text(format="date-time"))], "x is a time"),
    ("time-example", [with_parameter("createdAt", text("E.g. 2026-01-31 09:30"))], "createdAt"),
    ("time-example", [with_parameter("due", {"anyOf": [text(format="date"), {"type": "null"}]})],
     "due is a time"),
    ("near-duplicate", [GOOD, like_good(name="add_line",
                                        purpose="Appends lines to the text files of a workspace")],
     "100% of its words are those of append_line"),
    ("near-duplicate", [like_good(purpose="Address the old queries now."),
                        like_good(name="x", purpose="Addresses the query, the old")],
     "75% of its words"),
    ("similar-names", [GOOD, like_good(name="appendLine")], "appendLine differs from append_line"),
    ("similar-names", [GOOD, like_good(name="append-line")], "append-line differs"),
    ("runtime-leak", [like_good(returns="a line. This call is idempotent.")], "idempotent"),
    ("runtime-leak", [like_good(when="it is safe; risk: low.")], "risk:"),
    ("runtime-leak", [with_parameter("path", text("Runs in the sandbox."))],
     "its parameters speak of the runtime: sandbox"),
]  # fmt: skip

PASSES: list[Case] = [
    ("action-switch", [with_parameter("mode", text(enum=["fast", "slow"]))], ""),
    ("action-switch", [with_parameter("action", text(enum=["only_one"]))], ""),
    ("fixed-order", [foreign("Edit a file. Use it for small changes, after reading it.")], ""),
    ("fixed-order", [SESSION], ""),
    ("fixed-order", [OPEN, replace(SESSION, parameters=schema(session_id=text()))], ""),
    ("dangerous-defaults", [like_good(name="delete_files",
                                      parameters=schema("dir", dir=text(), force=text()))], ""),
    ("dangerous-defaults", [like_good(read_only=True, parameters=schema(dir=text(default="/")))],
     ""),
    ("dangerous-defaults", [like_good(parameters=schema(note=text(default="none")))], ""),
    ("vague", [like_good(purpose="Manages what the house spends: records one bill and its due"
                                 " date, and nothing else.")], ""),
    ("no-when", [foreign("Append a line. Use it for notes.")], ""),
    ("no-when-not", [foreign("Write a file. To add a line use append_file.")], ""),
    ("no-when-not", [foreign("Write a file. Do not use it for pictures.")], ""),
    ("no-path-base", [with_parameter("path", text("Absolute path."), paths="")], ""),
    ("no-path-base", [with_parameter("file_id", text(), paths="")], ""),
    ("no-path-base", [with_parameter("profile", text(), paths="")], ""),
    ("no-returns", [foreign("Append a line and return the count.")], ""),
    ("no-continuation", [foreign("Returns all lines; at most 100, then ask for more.")], ""),
    ("no-continuation", [foreign("Append a line. Returns how many lines there are.")], ""),
    ("undescribed-parameter", [GOOD], ""),
    ("no-example", [with_parameter("at", POINT, example={"at": {"x": "a"}})], ""),
    ("no-example", [with_parameter("at", {**POINT, "examples": [{"x": "a"}]})], ""),
    ("no-example", [with_parameter("tags", {"type": "array", "items": text(), "description": "T"})],
     ""),
    ("wrong-example", [like_good(example={"path": "a.txt"})], ""),
    ("time-example", [with_parameter("since", text("E.g. 2026-01-31T09:30:00Z"))], ""),
    ("time-example", [with_parameter("x", text(format="date", examples=["2026-01-31"]))], ""),
    ("time-example", [with_parameter("since", text(),
                                     example={"since": "2026-01-31T09:30:00+01:00"})], ""),
    ("time-example", [with_parameter("date", text("The day, as in 2026-01-31."))], ""),
    ("time-example", [with_parameter("timeout", {"type": "integer", "description": "ms"})], ""),
    ("near-duplicate", [GOOD, like_good(name="x", purpose="Replace a line of a text file.")], ""),
    ("similar-names", [GOOD, like_good(name="append_lines")], ""),
    ("runtime-leak", [like_good(purpose="Assess the risk of a loan from its read-only record.")],
     ""),
]  # fmt: skip


def found(rule: str, tools: list[Contract]) -> list[str]:
    findings = lint([Specimen(contract=contract) for contract in tools])
    return [finding.spot.saw for finding in findings if finding.rule.id == rule]


@pytest.mark.parametrize(("rule", "tools", "saw"), TRIPS)
def test_a_tool_that_is_hard_to_use_trips_its_rule(
    rule: str, tools: list[Contract], saw: str
) -> None:
    assert any(saw in told for told in found(rule, tools)), found(rule, tools)


@pytest.mark.parametrize(("rule", "tools", "saw"), PASSES)
def test_a_tool_that_is_not_does_not(rule: str, tools: list[Contract], saw: str) -> None:
    assert found(rule, tools) == []


def test_a_good_tool_trips_no_rule_at_all() -> None:
    assert lint([Specimen(contract=GOOD)]) == ()


def test_every_rule_has_tools_on_both_sides() -> None:
    rules = {rule.id for rule in RULES}
    assert len(rules) == len(RULES)
    assert {case[0] for case in TRIPS} == rules
    assert {case[0] for case in PASSES} == rules


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_what_why_and_what_to_do(rule: Any) -> None:
    assert rule.id == rule.id.casefold().strip()
    for part in (rule.what, rule.why, rule.advice):
        assert len(part) > 20
        assert not part.endswith(".")


# --- places, order, exceptions ------------------------------------------------------------------


def test_a_finding_points_at_the_part_or_at_the_tool_that_lacks_it() -> None:
    bad = with_parameter("since", text(), when="")
    places = {finding.rule.id: finding.spot.pointer for finding in lint([Specimen(contract=bad)])}
    assert places == {"no-when": "", "time-example": "/parameters/properties/since"}


def test_a_finding_has_the_line_of_its_place_or_of_what_is_around_it_or_of_its_tool() -> None:
    pointers = {"": "/tools/0", "parameters": "/tools/0/inputSchema"}
    known = {"/tools/0": 3, "/tools/0/inputSchema": 7, "/tools/0/inputSchema/properties/since": 9}
    bad = with_parameter("since", text(), when="")
    tool = Specimen(contract=bad, pointers=pointers, lines=known, line=1)
    assert [(f.rule.id, tool.line_of(f.spot.pointer)) for f in lint([tool])] == [
        ("no-when", 3),
        ("time-example", 9),
    ]
    deeper = tool.pointer("parameters", "/properties/since/type")
    assert tool.line_of(deeper) == 9
    assert tool.line_of(tool.pointer("parameters", "/required")) == 7
    assert tool.line_of("/elsewhere") == 1


def test_nested_parameters_are_looked_at_through_references() -> None:
    nested = schema("at", at={"$ref": "#/$defs/P", "description": "Where."})
    nested["$defs"] = {"P": {"type": "object", "properties": {"since": text()}}}
    (finding,) = lint([Specimen(contract=like_good(parameters=nested, example={"at": {}}))])
    assert finding.spot.pointer == "/parameters/properties/at/properties/since"


def test_a_parameter_that_is_only_allowed_or_forbidden_is_passed_by() -> None:
    contract = like_good(parameters=schema(anything=True, nothing=False))
    assert list(Specimen(contract=contract).parameters()) == []


def test_a_schema_that_goes_round_ends() -> None:
    looped = schema("t", t={"$ref": "#/$defs/T", "description": "T."})
    looped["$defs"] = {"T": {"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}}}}
    assert found("no-example", [like_good(parameters=looped)]) == [
        "t has a form of its own, and there is no example of it"
    ]


def test_a_schema_that_goes_round_in_alternatives_ends() -> None:
    circle = schema("t", t={"$ref": "#/$defs/T", "description": "T."})
    circle["$defs"] = {"T": {"anyOf": [{"$ref": "#/$defs/T"}, {"type": "string"}]}}
    assert found("no-example", [like_good(parameters=circle)]) == []


def test_a_schema_that_grows_without_end_is_looked_at_in_part() -> None:
    grown = {"type": "object", "properties": {f"p{n}": {"$ref": "#"} for n in range(20)}}
    assert len(list(Specimen(contract=like_good(parameters=grown)).parameters())) == PARAMETERS_MAX


def test_findings_come_tool_by_tool() -> None:
    tools = [like_good(name="a", when=""), like_good(name="b", when_not="", purpose="B.")]
    told = [(f.spot.tool.name, f.rule.id) for f in lint([Specimen(contract=t) for t in tools])]
    assert told == [("a", "no-when"), ("b", "vague"), ("b", "no-when-not")]


def test_a_rule_can_be_ignored_for_all_or_for_one_tool() -> None:
    purposes = {"a": "Append one line to a file.", "b": "Delete a user for good."}
    tools = [
        Specimen(contract=like_good(name=name, when="", paths="p", purpose=purpose))
        for name, purpose in purposes.items()
    ]
    assert len(lint(tools)) == 2
    assert lint(tools, ignored=["no-when"]) == ()
    assert [f.spot.tool.name for f in lint(tools, ignored=["no-when:a"])] == ["b"]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Delete a user.", "Deletes the users", 1.0),
        ("Delete a user.", "Delete a group.", 1 / 3),
        ("Delete a user.", "", 0.0),
        ("List open pull requests.", "List all open pull requests of a branch.", 0.8),
    ],
)
def test_likeness_is_the_share_of_words_that_both_have(one: str, other: str, alike: float) -> None:
    assert similarity(one, other) == pytest.approx(alike)
    assert 0.5 < SIMILARITY < 1


# --- our own ------------------------------------------------------------------------------------

WORLD = WorldSpec(
    files={}, commands={}, pull_requests=PullRequestsSpec(), ci=("passed",), payments=PaymentsSpec()
)

EXCEPTIONS: dict[str, set[str]] = {
    # Scenarios play what a model does with a tool whose every parameter is optional (SPEC O1).
    "dangerous-defaults": {"delete_files"},
    # It creates or replaces; the description says at once what the neighbours are for.
    "no-when": {"write_file"},
    # Few and small things, each tool beside the ones that it could be mixed up with.
    "no-when-not": {"read_file", "list_files", "append_file", "edit_file", "delete_files",
                    "find_pull_requests", "get_ci_status", "list_charges"},
    # The world is small; scenarios about long output (SPEC C7) must not be warned of the cut.
    "no-continuation": {"read_file", "list_files", "find_pull_requests", "list_charges"},
}  # fmt: skip


def test_the_tools_of_the_fake_world_are_clean_but_for_listed_exceptions() -> None:
    tools = [Contract.from_manifest(tool.manifest()) for tool in World(WORLD, Ledger()).tools()]
    findings = lint([Specimen(contract=contract) for contract in tools])
    seen: dict[str, set[str]] = {}
    for finding in findings:
        seen.setdefault(finding.rule.id, set()).add(finding.spot.tool.name)
    assert seen == EXCEPTIONS


def test_the_loops_own_tools_are_clean() -> None:
    assert lint([Specimen(contract=RUN_COMMAND)]) == ()
