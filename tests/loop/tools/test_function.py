"""A typed function becomes a tool; what cannot be described is refused in a sentence (SPEC C1)."""

from __future__ import annotations

import asyncio
import enum
import functools
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
import pytest

from faultloop.loop.contract import Contract, ContractError
from faultloop.loop.contract.derive import TIME_EXAMPLE, NotDescribable
from faultloop.loop.tools.function import FunctionTool, ToolFailed, tool
from faultloop.loop.tools.port import ToolContext, ToolResult


def context() -> ToolContext:
    return ToolContext(
        call_id="c", key="k", attempt="a", cancelled=asyncio.Event(), progress=lambda text: None
    )


async def ran(made: FunctionTool, **args: Any) -> ToolResult:
    return await made.run(args, context())


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass
class Tree:
    name: str
    kids: list[Tree] = field(default_factory=list)


GOOGLE = """Look at a thing.

It looks twice.

When to use: you do not
    know what it is.
When not to use: it is dark.

Args:
    path: Where the thing is.

Paths: relative to the garden.

Returns:
    What was seen.

Long output: it is cut after a page; ask for the next.
Example: {"path": "shed/rake"}
Common mistake: an absolute path.
"""

NUMPY = """Look at a thing.

It looks twice.

When to use: you do not know what it is.
When not to use: it is dark.
Paths: relative to the garden.

Parameters
----------
path : str
    Where the thing is.

Returns
-------
str
    What was seen.

Long output: it is cut after a page; ask for the next.
Example: {"path": "shed/rake"}
Common mistake: an absolute path.
"""

REST = """Look at a thing.

It looks twice.

When to use: you do not know what it is.
When not to use: it is dark.

:param path: Where the thing is.
:returns: What was seen.

Paths: relative to the garden.
Long output: it is cut after a page; ask for the next.
Example: {"path": "shed/rake"}
Common mistake: an absolute path.
"""


def look(path: str) -> str:
    return f"saw {path}"


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, REST], ids=["google", "numpy", "rest"])
def test_a_docstring_in_any_of_three_forms_gives_the_whole_face(text: str) -> None:
    described: Callable[[str], str] = lambda path: path  # noqa: E731
    described.__doc__, described.__name__ = text, "look"
    described.__annotations__ = {"path": str, "return": str}
    assert tool(described).contract == Contract(
        name="look",
        purpose="Look at a thing. It looks twice.",
        when="you do not know what it is.",
        when_not="it is dark.",
        paths="relative to the garden.",
        returns="What was seen.",
        continuation="it is cut after a page; ask for the next.",
        example={"path": "shed/rake"},
        mistake="an absolute path.",
        parameters={
            "type": "object",
            "properties": {"path": {"type": "string", "description": "Where the thing is."}},
            "required": ["path"],
            "additionalProperties": False,
        },
    )


def test_what_is_not_declared_takes_the_careful_side() -> None:
    @tool
    def act() -> None:
        """Act."""

    assert act.contract == Contract(name="act", purpose="Act.", parameters=act.contract.parameters)
    assert (act.contract.read_only, act.contract.risk) == (False, "high")


def test_a_decorators_word_goes_before_the_docstrings() -> None:
    @tool(name="peek", read_only=True, risk="low", concurrency_safe=True, purpose="Peek.", when="w")
    def look_(path: str) -> str:
        """Look.

        When to use: never.
        """
        return path

    contract = look_.contract
    assert (contract.name, contract.purpose, contract.when) == ("peek", "Peek.", "w")
    assert (contract.read_only, contract.risk, contract.concurrency_safe) == (True, "low", True)


@tool
def everything(
    count: int,
    ratio: Annotated[float, msgspec.Meta(ge=0, le=1, description="A share.")],
    colour: Colour,
    mode: Literal["fast", "slow"] = "fast",
    at: Point | None = None,
    since: datetime | None = None,
    limit: Annotated[int, "How many."] = 10,
    tags: list[str] = [],  # noqa: B006
    tree: Tree | None = None,
) -> str:
    """Take everything.

    Args:
        limit: Not this text, the annotation's.
        colour: The colour.
    """
    return repr((count, ratio, colour, mode, at, since, limit, tags, tree))


PROPERTIES: list[tuple[str, dict[str, Any]]] = [
    ("count", {"type": "integer"}),
    ("ratio", {"type": "number", "minimum": 0, "maximum": 1, "description": "A share."}),
    ("colour", {"enum": ["blue", "red"], "description": "The colour."}),
    ("mode", {"enum": ["fast", "slow"], "default": "fast"}),
    ("limit", {"type": "integer", "default": 10, "description": "How many."}),
    ("tags", {"type": "array", "items": {"type": "string"}, "default": []}),
    ("since", {"anyOf": [{"type": "string", "format": "date-time", "examples": [TIME_EXAMPLE]},
                         {"type": "null"}], "default": None}),
    ("at", {"anyOf": [{"type": "object", "properties": {"x": {"type": "integer"},
                                                        "y": {"type": "integer", "default": 0}},
                       "required": ["x"], "additionalProperties": False},
                      {"type": "null"}], "default": None}),
    ("tree", {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}], "default": None}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "schema"), PROPERTIES, ids=[row[0] for row in PROPERTIES])
def test_a_type_becomes_its_schema(name: str, schema: dict[str, Any]) -> None:
    assert everything.contract.properties[name] == schema


@dataclass
class Garden:
    best: Tree


def test_only_what_goes_round_stays_a_reference() -> None:
    @tool
    def plant(garden: Garden, other: Garden) -> None:
        """Plant."""

    assert plant.contract.properties["garden"]["properties"] == {"best": {"$ref": "#/$defs/Tree"}}
    assert list(plant.contract.parameters["$defs"]) == ["Tree"]


def test_only_a_parameter_without_default_is_required() -> None:
    assert everything.contract.required == ("count", "ratio", "colour")


def test_arguments_reach_the_function_as_values_of_its_types() -> None:
    result = asyncio.run(
        ran(everything, count=1, ratio=0.5, colour="red", at={"x": 1},
            tree={"name": "a", "kids": [{"name": "b"}]})
    )  # fmt: skip
    assert result.content == repr(
        (1, 0.5, Colour.RED, "fast", Point(1), None, 10, [], Tree("a", [Tree("b")]))
    )


WRONG: list[dict[str, Any]] = [
    {"at": {"x": 1, "z": 2}},  # a misspelt field is not dropped in silence
    {"tree": {"name": "a", "kid": []}},
    {"colour": "green"},
    {"ratio": 2},
    {"since": 5},
]


@pytest.mark.parametrize("wrong", WRONG)
def test_what_the_types_do_not_admit_the_contract_refuses(wrong: dict[str, Any]) -> None:
    args = {"count": 1, "ratio": 0.5, "colour": "red", **wrong}
    assert not everything.contract.validator.is_valid(args)


def test_what_only_the_conversion_can_see_is_a_result_and_not_an_error() -> None:
    result = asyncio.run(ran(everything, count=1, ratio=0.5, colour="red", since="yesterday"))
    assert (result.outcome, result.code) == ("failed", "INVALID_ARGS")
    assert "since" in result.content
    assert "Nothing was run." in result.content


# --- what cannot be described -----------------------------------------------------------------


def variadic(*paths: str) -> None:
    """Act."""


def keywords(**options: str) -> None:
    """Act."""


def by_place(path: str, /) -> None:
    """Act."""


def untyped(path) -> None:  # type: ignore[no-untyped-def]
    """Act."""


def undocumented(path: str) -> None: ...


def strange(path: Callable[[], int]) -> None:
    """Act."""


def forward(path: NoSuchType) -> None:  # type: ignore[name-defined]  # noqa: F821
    """Act."""


def odd_default(path: str = object()) -> None:  # type: ignore[assignment]
    """Act."""


def stranger(path: str) -> None:
    """Act.

    Args:
        paths: Where.
    """


def bad_example(path: str) -> None:
    """Act.

    Example: {"pth": "a"}
    """


def no_example(path: str) -> None:
    """Act.

    Example: act("a")
    """


def list_example(path: str) -> None:
    """Act.

    Example: ["a"]
    """


def yields(path: str) -> Iterator[str]:
    """Act."""
    yield path


async def yields_later(path: str) -> AsyncIterator[str]:
    """Act."""
    yield path


class Thing:
    def act(self, path: str) -> str:
        """Act."""
        return path


REFUSED: list[tuple[Callable[..., Any], str]] = [
    (variadic, "*paths has no schema; name each parameter"),
    (keywords, "**options has no schema"),
    (by_place, "path can only be given by its place"),
    (untyped, "the parameter path has no type"),
    (undocumented, "it has no docstring that says what it is for"),
    (strange, "a type of its parameters has no JSON Schema"),
    (forward, "its type hints cannot be read: name 'NoSuchType' is not defined"),
    (odd_default, "the default of path cannot be written as JSON"),
    (stranger, "its docstring describes paths, which it does not take"),
    (bad_example, "its example does not fit its own parameters"),
    (no_example, "the example in its docstring is no JSON"),
    (list_example, "the example in its docstring must be one JSON object"),
    (yields, "it yields, and a call has one result"),
    (yields_later, "it yields, and a call has one result"),
    (Thing.act, "the parameter self has no type; a method becomes a tool where it is bound"),
]


@pytest.mark.parametrize(
    ("function", "sentence"), REFUSED, ids=[row[0].__name__ for row in REFUSED]
)
def test_a_function_that_cannot_be_described_is_refused_by_name_and_line(
    function: Callable[..., Any], sentence: str
) -> None:
    with pytest.raises(NotDescribable) as refused:
        tool(function)
    code = function.__code__
    place = f"{code.co_filename}:{code.co_firstlineno}"
    assert str(refused.value).startswith(f"{function.__name__} ({place}) cannot be a tool: ")
    assert sentence in str(refused.value)


def test_a_wrong_declaration_says_where_the_function_stands() -> None:
    with pytest.raises(ContractError, match=r"undocumented \(.*test_function.py:\d+\): a tool can"):
        tool(purpose="Act.", name="no name")(undocumented)


def test_a_method_is_a_tool_where_it_is_bound() -> None:
    assert asyncio.run(ran(tool(Thing().act), path="p")).content == "p"


# --- running -----------------------------------------------------------------------------------


def giving(value: object) -> FunctionTool:
    async def give() -> object:
        """Give it."""
        return value

    return tool(give)


RESULTS: list[tuple[object, str]] = [
    ("text as it is", "text as it is"),
    (None, "Done."),
    ({"a": [1, None]}, '{"a":[1,null]}'),
    (Point(1, 2), '{"x":1,"y":2}'),
    (object, "Done. (The result, a type, cannot be written as JSON.)"),
]


@pytest.mark.parametrize(("value", "content"), RESULTS)
def test_what_is_returned_becomes_a_uniform_result(value: object, content: str) -> None:
    assert asyncio.run(ran(giving(value))) == ToolResult(outcome="ok", content=content)


def test_a_result_that_is_one_already_stays() -> None:
    result = ToolResult(outcome="unknown", content="?", code="X")
    assert asyncio.run(ran(giving(result))) is result


def wrapped(function: Callable[..., Any]) -> FunctionTool:
    """Behind a decorator like most: a plain function that says it is the other one."""

    @functools.wraps(function)
    def logged(**given: Any) -> Any:
        return function(**given)

    return tool(logged)


def test_a_coroutine_function_behind_a_plain_decorator_is_run() -> None:
    done: list[str] = []

    async def act(path: str) -> str:
        """Act."""
        await asyncio.sleep(0)
        done.append(path)
        return "acted"

    result = asyncio.run(ran(wrapped(act), path="shed"))
    assert (result.content, done) == ("acted", ["shed"])


@pytest.mark.parametrize("function", [yields, yields_later])
def test_what_only_turns_out_to_yield_is_never_told_as_done(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="it returned what yields"):
        asyncio.run(ran(wrapped(function), path="shed"))


def test_a_function_can_say_that_it_failed_and_changed_nothing() -> None:
    @tool
    def fail() -> str:
        """Fail."""
        raise ToolFailed("the shed is locked", code="LOCKED", retryable=True)

    assert asyncio.run(ran(fail)) == ToolResult(
        outcome="failed", content="the shed is locked", code="LOCKED", retryable=True
    )


def test_any_other_exception_is_for_the_loop_to_judge() -> None:
    @tool
    def fail() -> str:
        """Fail."""
        raise KeyError("shed")

    with pytest.raises(KeyError):
        asyncio.run(ran(fail))


def test_the_context_is_given_and_is_no_parameter() -> None:
    @tool
    async def keyed(path: str, about: ToolContext) -> str:
        """Tell the key."""
        return f"{path} {about.key}"

    assert list(keyed.contract.properties) == ["path"]
    assert asyncio.run(ran(keyed, path="p")).content == "p k"


def test_a_tool_can_still_be_called_as_the_function_that_it_is() -> None:
    assert tool(purpose="Look.")(look)("x") == "saw x"


def test_a_plain_function_cannot_promise_to_be_stopped() -> None:
    with pytest.raises(ContractError, match="runs in a thread and cannot be stopped"):
        tool(purpose="Look.", cancellable=True)(look)


def test_a_call_in_a_thread_is_over_only_when_the_thread_is() -> None:
    entered, go_on, left = threading.Event(), threading.Event(), threading.Event()

    @tool
    def slow() -> None:
        """Be slow."""
        entered.set()
        go_on.wait(10)
        left.set()

    async def story() -> None:
        work = asyncio.create_task(ran(slow))
        await asyncio.to_thread(entered.wait, 10)
        work.cancel()
        await asyncio.wait([work], timeout=0.05)
        assert not work.done(), "the thread still runs"
        go_on.set()
        await asyncio.wait([work])
        assert work.cancelled()
        assert left.is_set()

    asyncio.run(story())


def test_the_schema_is_plain_json() -> None:
    parameters = everything.contract.parameters
    assert json.loads(json.dumps(parameters)) == parameters
