"""A typed function becomes a tool: its types and its docstring are the contract (SPEC C1)."""

from __future__ import annotations

import asyncio
import enum
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
import pytest

from faultloop.loop.contract import Contract
from faultloop.loop.contract.derive import TIME_EXAMPLE
from faultloop.loop.tools.function import tool

from .calls import ran


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


def test_the_schema_is_plain_json() -> None:
    parameters = everything.contract.parameters
    assert json.loads(json.dumps(parameters)) == parameters
