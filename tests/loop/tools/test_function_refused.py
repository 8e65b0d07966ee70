"""A function that cannot be described is refused in a sentence that says where (SPEC C1)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from faultloop.loop.contract import ContractError
from faultloop.loop.contract.derive import NotDescribable
from faultloop.loop.tools.function import tool

from .calls import ran


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
    with pytest.raises(
        ContractError, match=r"undocumented \(.*test_function_refused.py:\d+\): a tool can"
    ):
        tool(purpose="Act.", name="no name")(undocumented)


def test_a_method_is_a_tool_where_it_is_bound() -> None:
    assert asyncio.run(ran(tool(Thing().act), path="p")).content == "p"
