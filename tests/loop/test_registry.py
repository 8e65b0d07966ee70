"""Tools by name; unknown ones are answered, not guessed (SPEC C10, P4, P6, D2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from faultloop.loop.contract import Contract, ContractError
from faultloop.loop.registry import Found, Registry, UnknownTool, nearest
from faultloop.loop.tools.port import ToolContext, ToolResult


@dataclass(frozen=True)
class Named:
    """A tool that is only looked up here."""

    contract: Contract

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        raise AssertionError("nothing is run in these tests")


def tool(name: str, *properties: str, **declared: Any) -> Named:
    return Named(
        Contract(
            name=name,
            purpose=f"It is {name}.",
            parameters={
                "type": "object",
                "properties": {field: {"type": "string"} for field in properties},
            },
            **declared,
        )
    )


READ = tool("read_file", "path", read_only=True, aliases=("cat", "open_file"))
WRITE = tool("write_file", "path", "content")
FIND = tool("find_pull_requests", "title", read_only=True)
CREATE = tool("create_pull_request", "title", "body", verify_with="find_pull_requests")
REGISTRY = Registry((READ, WRITE, FIND, CREATE))


def test_a_tool_is_found_under_its_name_and_its_declared_aliases() -> None:
    assert REGISTRY.find("read_file") == Found(tool=READ)
    assert REGISTRY.find("cat") == Found(tool=READ, alias="cat")


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("readfile", "read_file"),
        ("functions.read_file", "read_file"),
        ("Write-File", "write_file"),
        ("create_pr", "create_pull_request"),
        ("find_pull_request", "find_pull_requests"),
    ],
)
def test_a_name_that_looks_like_a_tools_is_answered_with_the_nearest_first(
    asked: str, first: str
) -> None:
    found = REGISTRY.find(asked)
    assert isinstance(found, UnknownTool)
    assert found.code == "UNKNOWN_TOOL"
    assert f"There is no tool called {asked}. Nothing was run." in found.message
    assert f"nearest name first: {first}, " in found.message
    assert all(name in found.message for name in REGISTRY.names)


def test_an_absurd_name_and_a_crowd_of_tools_stay_bounded() -> None:
    crowd = Registry([tool(f"tool_{number}") for number in range(500)])
    found = crowd.find("x" * 100_000)
    assert isinstance(found, UnknownTool)
    assert "and 480 more" in found.message
    assert len(found.message) < 1_000


def test_a_registry_without_tools_says_so() -> None:
    found = Registry().find("read_file")
    assert isinstance(found, UnknownTool)
    assert "No tool can be called; answer in text." in found.message


def test_a_tool_that_is_shut_is_known_but_not_callable() -> None:
    reading = REGISTRY.only({"read_file"})
    assert reading.names == ("read_file",)
    assert "write_file" not in reading
    found = reading.find("write_file")
    assert isinstance(found, UnknownTool)
    assert "write_file exists, but it cannot be called directly" in found.message
    assert REGISTRY.names == ("read_file", "write_file", "find_pull_requests",
                              "create_pull_request")  # fmt: skip


def test_a_tool_that_is_shut_can_say_how_to_reach_what_it_does() -> None:
    shut = REGISTRY.closing({"read_file": "Ask the user to paste the file."})
    for name in ("read_file", "cat"):  # under an alias as well
        found = shut.find(name)
        assert isinstance(found, UnknownTool)
        assert (
            f"The tool {name} exists, but it cannot be called directly in this session."
            " Ask the user to paste the file. Nothing was run." in found.message
        )
    assert shut.known == REGISTRY.names
    assert shut.get("read_file") is READ
    assert shut.get("no_such_tool") is None


def test_what_was_shut_can_be_opened_again() -> None:
    shut = REGISTRY.closing(("read_file",)).closing({"write_file": "w"})
    assert shut.names == ("find_pull_requests", "create_pull_request")
    assert shut.opening(("read_file",)).names == (
        "read_file", "find_pull_requests", "create_pull_request",
    )  # fmt: skip


def test_a_tool_that_is_taken_out_is_not_even_known() -> None:
    less = REGISTRY.without(("read_file",))
    assert "read_file" not in less.known
    found = less.find("read_file")
    assert isinstance(found, UnknownTool)
    assert "There is no tool called read_file" in found.message


def test_tools_of_one_source_are_exchanged_together_and_stay_shut() -> None:
    before = REGISTRY.plus(tool("docs__a"), tool("docs__b")).closing(("docs__a",))
    before = before.plus(tool("docs2__a"))
    after = before.synced({"docs__a", "docs__b"}, (tool("docs__a"), tool("docs__c")))
    assert after.names == (*REGISTRY.names, "docs2__a", "docs__c")
    assert after.known == (*REGISTRY.names, "docs2__a", "docs__a", "docs__c")


@pytest.mark.parametrize("text", ["", "docs__"])
def test_no_text_is_taken_for_a_collection_of_names(text: str) -> None:
    with pytest.raises(ContractError, match="not the text"):
        REGISTRY.synced(text, ())


def test_a_registry_is_rendered_for_a_provider_with_what_is_to_be_said() -> None:
    rendered = REGISTRY.only(("read_file",)).rendered("anthropic_messages", "required")
    assert [(one.tool["name"], one.strict, one.notes) for one in rendered] == [
        ("read_file", True, ())
    ]


def test_adding_a_tool_gives_another_registry() -> None:
    more = REGISTRY.plus(tool("now"))
    assert "now" in more
    assert "now" not in REGISTRY
    assert len(more) == len(REGISTRY) + 1


@pytest.mark.parametrize(
    ("tools", "sentence"),
    [
        ((READ, READ), "two tools are called read_file"),
        ((READ, tool("x", aliases=("cat",))), "cat is an alias of both read_file and x"),
    ],
)
def test_a_name_says_which_tool_is_meant(tools: tuple[Named, ...], sentence: str) -> None:
    with pytest.raises(ContractError, match=sentence):
        Registry(tools)


def test_faces_are_those_of_the_callable_tools() -> None:
    assert [face["name"] for face in REGISTRY.only({"write_file"}).faces()] == ["write_file"]


def test_the_world_is_asked_with_what_the_asking_tool_understands() -> None:
    query = REGISTRY.query(CREATE.contract, {"title": "t", "body": "b"})
    assert query is not None
    assert (query.tool, query.args) == (FIND, {"title": "t"})


def raising(args: dict[str, Any]) -> dict[str, Any]:
    raise KeyError("title")


@pytest.mark.parametrize(
    "declared",
    [
        {},
        {"verify_with": "no_such_tool"},
        {"verify_with": "write_file"},  # asking must not change anything
        {"verify_with": "find_pull_requests", "verify_arguments": raising},
        {"verify_with": "find_pull_requests", "verify_arguments": lambda args: {"title": 5}},
    ],
)
def test_where_nothing_can_tell_there_is_no_question(declared: dict[str, Any]) -> None:
    assert REGISTRY.query(tool("t", **declared).contract, {"title": "t"}) is None


def test_a_tool_that_is_shut_is_asked_nothing() -> None:
    assert REGISTRY.closing((FIND.contract.name,)).query(CREATE.contract, {"title": "t"}) is None


def test_ties_are_broken_by_the_alphabet() -> None:
    assert nearest("zzz", ["b", "a", "c"]) == ["a", "b", "c"]
