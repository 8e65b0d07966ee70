"""A Python function as a tool: `@tool` derives its contract, `FunctionTool` runs it (SPEC C1, C4).

A coroutine function runs here and heeds cancellation. A plain function runs in a thread, which
nobody can stop: it must not be declared cancellable, and a call of it that is given up is waited
for, so that it is never reported as stopped while it goes on (SPEC C6, X5). What a plain function
returns may have to be awaited, as behind most decorators: that is done here, and belongs to the
call. What yields is no result, and never passes for one.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from collections.abc import AsyncIterator, Callable, Generator
from typing import Any, TypeVar, Unpack, overload

import msgspec

from faultloop.loop.contract import Contract, ContractError
from faultloop.loop.contract.derive import Declared, Origin, derive
from faultloop.loop.tools.port import ToolContext, ToolResult

F = TypeVar("F", bound=Callable[..., Any])


class ToolFailed(Exception):
    """Raised by a tool's function that could not do it and has changed nothing.

    Any other exception leaves open whether the tool took effect, unless it only reads.
    """

    def __init__(self, message: str, *, code: str = "TOOL_FAILED", retryable: bool = False) -> None:
        """`message` is for the model: what went wrong where, and what to do about it."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


class FunctionTool:
    """A tool that is a function of this program. Can still be called as that function."""

    def __init__(self, function: Callable[..., Any], declared: Declared) -> None:
        """Raises NotDescribable, ContractError."""
        derived = derive(function, declared)
        self._function = function
        self._model = derived.model
        self._context = derived.context
        self._is_async = inspect.iscoroutinefunction(function)
        self.contract: Contract = derived.contract
        self.origin: Origin = derived.origin
        self.__doc__ = function.__doc__
        if self.contract.cancellable and not self._is_async:
            raise ContractError(
                f"{self.contract.name} ({self.origin}): a plain function runs in a thread and"
                " cannot be stopped; make it async, or leave cancellable out"
            )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function itself, for other Python code."""
        return self._function(*args, **kwargs)

    def unfit(self, args: dict[str, Any]) -> str:
        """What no JSON Schema sees: why these cannot be values of its types; empty if they can."""
        try:
            msgspec.convert(args, self._model)
        except msgspec.ValidationError as error:
            return str(error)
        return ""

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Call it with the arguments as values of its types."""
        try:
            converted = msgspec.convert(args, self._model)
        except msgspec.ValidationError as error:
            return ToolResult(
                outcome="failed",
                code="INVALID_ARGS",
                content=f"The arguments of {self.contract.name} cannot be used: {error}."
                " Nothing was run.",
            )
        given = {name: getattr(converted, name) for name in args}
        if self._context is not None:
            given[self._context] = context
        try:
            if self._is_async:
                returned = await self._function(**given)
            else:
                returned = await _in_thread(self._function, given)
            if inspect.isawaitable(returned):
                returned = await returned
            return _result(returned)
        except ToolFailed as failure:
            return ToolResult(
                outcome="failed",
                code=failure.code,
                content=failure.message,
                retryable=failure.retryable,
            )


@overload
def tool(function: Callable[..., Any], /) -> FunctionTool: ...
@overload
def tool(**declared: Unpack[Declared]) -> Callable[[Callable[..., Any]], FunctionTool]: ...


def tool(
    function: Callable[..., Any] | None = None, /, **declared: Unpack[Declared]
) -> FunctionTool | Callable[[Callable[..., Any]], FunctionTool]:
    """Make a tool of a typed function with a docstring: `@tool` or `@tool(read_only=True)`.

    What is declared here goes before what the docstring says; what is declared nowhere takes the
    careful side (SPEC C2). Raises NotDescribable where the function cannot be described.
    """
    if function is not None:
        return FunctionTool(function, declared)
    return lambda wrapped: FunctionTool(wrapped, declared)


async def _in_thread(function: Callable[..., Any], given: dict[str, Any]) -> Any:
    """Run it in a thread; being cancelled does not end the wait for it, only what comes after."""
    context = contextvars.copy_context()
    work = asyncio.get_running_loop().run_in_executor(None, lambda: context.run(function, **given))
    cancelled: asyncio.CancelledError | None = None
    while not work.done():
        try:
            await asyncio.wait([work])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    return work.result()


def _result(returned: object) -> ToolResult:
    """A result from what a function returned: a text as it is, anything else as JSON."""
    match returned:
        case ToolResult():
            return returned
        case str():
            return ToolResult(outcome="ok", content=returned)
        case None:
            return ToolResult(outcome="ok", content="Done.")
        case AsyncIterator() | Generator():
            raise TypeError(f"it returned what yields, a {type(returned).__name__}, and no result")
        case _:
            return ToolResult(outcome="ok", content=_json(returned))


def _json(returned: object) -> str:
    try:
        return msgspec.json.encode(returned).decode()
    except (TypeError, ValueError):  # it has been done all the same
        return f"Done. (The result, a {type(returned).__name__}, cannot be written as JSON.)"
