"""A function that is a tool runs, and whatever it gives is a uniform result (SPEC C6)."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from faultloop.loop.contract import ContractError
from faultloop.loop.tools.function import FunctionTool, ToolFailed, tool
from faultloop.loop.tools.port import ToolContext, ToolResult

from .calls import ran


def look(path: str) -> str:
    return f"saw {path}"


def yields(path: str) -> Iterator[str]:
    """Act."""
    yield path


async def yields_later(path: str) -> AsyncIterator[str]:
    """Act."""
    yield path


@dataclass
class Pair:
    x: int
    y: int


def giving(value: object) -> FunctionTool:
    async def give() -> object:
        """Give it."""
        return value

    return tool(give)


RESULTS: list[tuple[object, str]] = [
    ("text as it is", "text as it is"),
    (None, "Done."),
    ({"a": [1, None]}, '{"a":[1,null]}'),
    (Pair(1, 2), '{"x":1,"y":2}'),
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
