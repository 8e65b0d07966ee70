"""The fake world: what each tool does, as tables of (state before, call, state or answer after)."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from faultloop.fakes.ledger import Effect, Ledger
from faultloop.fakes.world.spec import CommandSpec, PaymentsSpec, PullRequestsSpec, WorldSpec
from faultloop.fakes.world.world import Applied, ToolFailed, World, tool_names

FULL = WorldSpec(
    files={"notes.txt": "one\n", "src/main.py": "print(1)\n"},
    commands={
        "npm test": CommandSpec(output="3 passing\n", takes_s=20),
        "npm run build": CommandSpec(output="2 errors\n", exit_code=2),
        "npm publish": CommandSpec(effect="published the package"),
    },
    pull_requests=PullRequestsSpec(existing=("Older work",)),
    ci=("pending", "passed"),
    payments=PaymentsSpec(balance_cents=5_000),
)


class Bench:
    """A world and its ledger, called the way a stage calls it."""

    def __init__(self, spec: WorldSpec = FULL) -> None:
        self.ledger = Ledger()
        self.world = World(spec, self.ledger)

    def call(self, tool: str, key: str | None = None, **args: Any) -> Applied:
        assert self.world.validate(tool, args) is None
        return self.world.apply(
            tool, args, start=1, invocation=7, call_id="c", key=key, position=42
        )

    def told(self, tool: str, key: str | None = None, **args: Any) -> str:
        return self.call(tool, key, **args).data

    @property
    def effects(self) -> list[str]:
        return [effect.what for effect in self.ledger.effects]


# --- what is offered ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        (WorldSpec(), ()),
        (WorldSpec(ci=("passed",)), ("get_ci_status",)),
        (WorldSpec(commands={}), ("run_command",)),
        (
            WorldSpec(files={}),
            ("read_file", "list_files", "write_file", "append_file", "edit_file", "delete_files"),
        ),
        (WorldSpec(files={}, tools=("append_file", "read_file")), ("read_file", "append_file")),
        (WorldSpec(payments=PaymentsSpec()), ("charge_customer", "list_charges")),
        (
            WorldSpec(pull_requests=PullRequestsSpec()),
            ("create_pull_request", "find_pull_requests"),
        ),
    ],
)
def test_a_world_offers_the_tools_of_its_parts(spec: WorldSpec, names: tuple[str, ...]) -> None:
    assert tool_names(spec) == names
    assert tuple(tool.name for tool in World(spec, Ledger()).tools()) == names


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (WorldSpec(files={}, tools=("run_command",)), "offers no tool 'run_command'"),
        (WorldSpec(ci=()), "at least one status"),
        (WorldSpec(commands={"npm  test": CommandSpec()}), "one space between them"),
        (WorldSpec(commands={"x": CommandSpec(exit_code=1, effect="did")}), "changes nothing"),
    ],
)
def test_a_world_that_makes_no_sense_is_the_scenarios_fault(spec: WorldSpec, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        World(spec, Ledger())


@pytest.mark.parametrize("tool", World(FULL, Ledger()).tools(), ids=lambda tool: tool.name)
def test_every_declaration_is_complete_and_strict(tool: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(tool.parameters)
    assert tool.parameters["additionalProperties"] is False
    assert all("description" in one for one in tool.parameters["properties"].values())
    assert "Use it" in tool.description or "use " in tool.description
    assert "Returns" in tool.description
    for hint in ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"):
        assert isinstance(tool.annotations[hint], bool)
    assert tool.annotations["faultloop/risk"] in {"low", "medium", "high"}
    verify_with = tool.annotations.get("faultloop/verifyWith")
    assert verify_with is None or verify_with in tool_names(FULL)


def test_the_annotations_are_honest() -> None:
    """Each tool is called, once or twice: what it annotates is what happens."""
    calls: dict[str, dict[str, Any]] = {
        "read_file": {"path": "notes.txt"},
        "list_files": {},
        "write_file": {"path": "notes.txt", "content": "two\n"},
        "append_file": {"path": "notes.txt", "line": "two"},
        "edit_file": {"path": "notes.txt", "old": "one", "new": "one two"},
        "delete_files": {},
        "run_command": {"command": "npm publish"},
        "create_pull_request": {"title": "New work"},
        "find_pull_requests": {},
        "get_ci_status": {},
        "charge_customer": {"customer": "Ada", "cents": 1},
        "list_charges": {},
    }
    for tool in World(FULL, Ledger()).tools():
        bench = Bench()
        bench.call(tool.name, **calls[tool.name])
        assert tool.annotations["readOnlyHint"] is (bench.effects == []), tool.name
        once = seen(bench)
        if tool.annotations["idempotentHint"]:
            bench.call(tool.name, **calls[tool.name])
            assert seen(bench) == once, tool.name


def seen(bench: Bench) -> list[str]:
    """All that reading tools can tell of a world."""
    paths = bench.told("list_files").replace("(no files)", "").split()
    return [
        *(bench.told("read_file", path=path) for path in paths),
        *(bench.told(look) for look in ("list_files", "find_pull_requests", "list_charges")),
    ]


def test_who_runs_commands_is_annotated() -> None:
    def runs(commands: Any) -> object:
        tool = World(FULL, Ledger(), commands=commands).tool("run_command")
        assert tool is not None
        return tool.annotations.get("faultloop/runs")

    assert (runs("world"), runs("own")) == (None, "subject")


@pytest.mark.parametrize(
    ("tool", "args", "fault"),
    [
        ("append_file", {"path": "a", "line": "b"}, None),
        ("append_file", {"path": "a"}, '"line" is a required property'),
        ("append_file", {"path": 5, "line": "b"}, 'path: 5 is not of type "string"'),
        ("append_file", {"path": "a", "line": "b", "mode": "w"}, "'mode' was unexpected"),
        ("append_file", [], 'is not of type "object"'),
        ("delete_files", {}, None),
        ("charge_customer", {"customer": "Ada", "cents": 0}, "cents: 0 is less than"),
        ("charge_customer", {"customer": "Ada", "cents": "5"}, 'cents: "5" is not of type'),
    ],
)
def test_arguments_are_validated_with_the_place_of_the_fault(
    tool: str, args: Any, fault: str | None
) -> None:
    said = Bench().world.validate(tool, args)
    if fault is None:
        assert said is None
    else:
        assert said is not None
        assert fault in said


# --- the ledger -----------------------------------------------------------------------------


def test_an_effect_enters_the_ledger_with_all_that_is_known_of_it() -> None:
    bench = Bench()
    applied = bench.call("append_file", "k", line="two", path="notes.txt")
    assert applied.effect == Effect(
        number=1,
        position=42,
        start=1,
        invocation=7,
        tool="append_file",
        arguments='{"line":"two","path":"notes.txt"}',
        what="appended 1 line to notes.txt",
        call_id="c",
        key="k",
    )
    assert bench.ledger.effects == [applied.effect]


FAILING = [
    ("edit_file", {"path": "notes.txt", "old": "absent", "new": "x"}),
    ("edit_file", {"path": "none.txt", "old": "a", "new": "b"}),
    ("read_file", {"path": "none.txt"}),
    ("run_command", {"command": "npm run build"}),
    ("run_command", {"command": "rm -rf /"}),
    ("charge_customer", {"customer": "Ada", "cents": 5_001}),
]


@pytest.mark.parametrize(("tool", "args"), FAILING)
def test_a_tool_that_fails_changes_neither_world_nor_ledger(
    tool: str, args: dict[str, Any]
) -> None:
    bench, untouched = Bench(), Bench()
    with pytest.raises(ToolFailed) as caught:
        bench.call(tool, **args)
    assert caught.value.code == "TOOL_FAILED"
    assert caught.value.message
    assert bench.effects == []
    looks: list[tuple[str, dict[str, Any]]] = [
        ("list_files", {}),
        ("read_file", {"path": "notes.txt"}),
        ("list_charges", {}),
    ]
    assert [bench.told(look, **with_) for look, with_ in looks] == [
        untouched.told(look, **with_) for look, with_ in looks
    ]


# --- files: the replay trio (SPEC O3) -------------------------------------------------------


def test_an_edit_fails_the_second_time() -> None:
    bench = Bench()
    bench.call("edit_file", path="notes.txt", old="one", new="two")
    with pytest.raises(ToolFailed, match="does not occur in notes"):
        bench.call("edit_file", path="notes.txt", old="one", new="two")
    assert bench.told("read_file", path="notes.txt") == "two\n"
    assert bench.effects == ["replaced 3 characters in notes.txt by 3 characters"]


def test_an_overwrite_that_changes_nothing_is_still_an_effect() -> None:
    bench = Bench()
    for _ in range(2):
        bench.call("write_file", path="notes.txt", content="two\n")
    assert bench.told("read_file", path="notes.txt") == "two\n"
    assert bench.effects == [
        "overwrote notes.txt with 4 characters",
        "rewrote notes.txt with the same content",
    ]


def test_an_append_doubles() -> None:
    bench = Bench()
    for _ in range(2):
        bench.call("append_file", path="notes.txt", line="two")
    assert bench.told("read_file", path="notes.txt") == "one\ntwo\ntwo\n"
    assert len(bench.effects) == 2


def test_an_ambiguous_edit_changes_nothing() -> None:
    bench = Bench(WorldSpec(files={"a": "x x"}))
    with pytest.raises(ToolFailed, match="occurs 2 times"):
        bench.call("edit_file", path="a", old="x", new="y")


@pytest.mark.parametrize(
    ("args", "left", "effects"),
    [
        ({}, "(no files)", ["deleted 2 files below /"]),
        ({"dir": "src"}, "notes.txt", ["deleted 1 file below src"]),
        ({"dir": "/src/"}, "notes.txt", ["deleted 1 file below /src/"]),
        ({"dir": "sr"}, "notes.txt\nsrc/main.py", []),
    ],
)
def test_delete_files_without_arguments_deletes_everything(
    args: dict[str, str], left: str, effects: list[str]
) -> None:
    bench = Bench()
    bench.call("delete_files", **args)
    assert (bench.told("list_files"), bench.effects) == (left, effects)


# --- commands, pull requests, CI, payments --------------------------------------------------


def test_commands() -> None:
    bench = Bench()
    assert bench.told("run_command", command="npm  test") == "3 passing\n"
    with pytest.raises(ToolFailed, match=r"exit code 2\n2 errors"):
        bench.call("run_command", command="npm run build")
    with pytest.raises(ToolFailed, match=r"exit code 127\nsh: 1: rm: not found"):
        bench.call("run_command", command="rm -rf /")
    bench.call("run_command", command="npm publish")
    assert bench.effects == ["published the package"]
    assert bench.world.duration_s("run_command", {"command": "npm test"}) == 20
    assert bench.world.duration_s("run_command", {"command": "rm -rf /"}) == 0
    assert bench.world.duration_s("read_file", {"path": "notes.txt"}) == 0


KEYED = [
    ("create_pull_request", {"title": "New work"}, {"title": "Other work"}),
    ("charge_customer", {"customer": "Ada", "cents": 5}, {"customer": "Ada", "cents": 6}),
]


def _keyed(*, honours_key: bool) -> Bench:
    return Bench(
        WorldSpec(
            pull_requests=PullRequestsSpec(honours_key=honours_key),
            payments=PaymentsSpec(honours_key=honours_key),
        )
    )


@pytest.mark.parametrize(("tool", "args", "_other"), KEYED)
@pytest.mark.parametrize(
    ("honours_key", "keys", "effects"),
    [
        (True, ("k", "k"), 1),
        (True, ("k", "l"), 2),
        (True, (None, None), 2),
        (False, ("k", "k"), 2),
    ],
)
def test_twice_is_once_only_with_the_same_key_where_it_is_honoured(
    tool: str,
    args: dict[str, Any],
    _other: object,
    honours_key: bool,
    keys: tuple[str | None, ...],
    effects: int,
) -> None:
    bench = _keyed(honours_key=honours_key)
    for key in keys:
        bench.call(tool, key, **args)
    assert len(bench.effects) == effects
    declared = bench.world.tool(tool)
    assert declared is not None
    assert declared.annotations["faultloop/honoursKey"] is honours_key


@pytest.mark.parametrize(("tool", "args", "other"), KEYED)
def test_a_key_that_comes_back_with_other_arguments_is_refused(
    tool: str, args: dict[str, Any], other: dict[str, Any]
) -> None:
    bench = _keyed(honours_key=True)
    bench.call(tool, "k", **args)
    with pytest.raises(ToolFailed, match="from other arguments"):
        bench.call(tool, "k", **other)
    assert len(bench.effects) == 1


def test_pull_requests_are_found() -> None:
    bench = Bench()
    bench.call("create_pull_request", title="New work")
    assert bench.told("find_pull_requests") == "#1: Older work\n#2: New work"
    assert bench.told("find_pull_requests", title="New work") == "#2: New work"
    assert bench.told("find_pull_requests", title="No work") == (
        "No open pull request has the title 'No work'."
    )


def test_ci_is_told_step_by_step_and_the_last_status_stays() -> None:
    bench = Bench()
    told = [bench.told("get_ci_status").split(":")[0] for _ in range(3)]
    assert told == ["CI is pending", "CI has passed", "CI has passed"]
    assert bench.effects == []


def test_payments_are_listed_and_declined_when_the_money_is_gone() -> None:
    bench = Bench()
    bench.call("charge_customer", customer="Ada", cents=3_000)
    with pytest.raises(ToolFailed, match="3000 cents were asked for, 2000 are available"):
        bench.call("charge_customer", customer="Bob", cents=3_000)
    assert bench.told("list_charges") == "charge 1: Ada 3000 cents"
    assert bench.told("list_charges", customer="Bob") == "No charges for Bob."
