"""Hooks: where a host may step into a turn, and what it may do there (SPEC L13).

A turn passes these points in this order; `POINTS` is the table, a line for each:

    pre_step   context   request   stream   request_error   before_tool   after_tool   stopping

At each point any number of hooks stand in the order in which they were given, sync or async; each
is handed what the one before it made of things, so what one adds another keeps. A hook is the
host's code and may fail or hang. It never leaves the history open: the table says what happens in
its place, the journal says that it happened (`HookFailed`), and where permission or validity is in
question that is the careful side. How they are run: `hooking`.

Observers are no hooks: a subscriber of run events (`delivery`) sees and changes nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from faultloop.loop.contract import Contract
from faultloop.loop.message import Message
from faultloop.loop.providers.port import Delta, ModelRequest, ProviderFailure
from faultloop.loop.state import Turn
from faultloop.loop.tools.port import ToolResult

T = TypeVar("T")
MaybeAwaitable: TypeAlias = T | Awaitable[T]

Point = Literal[
    "pre_step",
    "context",
    "request",
    "stream",
    "request_error",
    "before_tool",
    "after_tool",
    "stopping",
]

Instead = Literal["end_turn", "fail_request", "refuse_call", "go_on"]
"""What happens in the place of a hook that raised or hung. `end_turn`: the turn ends as `error`.
`fail_request`: the step fails, and is not asked again. `refuse_call`: the call is not executed.
`go_on`: as if the hook had said nothing."""


class Line(NamedTuple):
    """One interception point."""

    may: str
    instead: Instead


POINTS: Mapping[Point, Line] = MappingProxyType(
    {
        "pre_step": Line("rewrite the input that is about to enter, or reject it", "end_turn"),
        "context": Line("change what the request says was said so far", "end_turn"),
        "request": Line("change the request, or send it to another provider", "fail_request"),
        "stream": Line("answer in the provider's place", "fail_request"),
        "request_error": Line("say whether a failed request is made again", "go_on"),
        "before_tool": Line("block a valid call", "refuse_call"),
        "after_tool": Line("rewrite a result, or its being an error", "go_on"),
        "stopping": Line("say something before the loop stops, so that it goes on", "go_on"),
    }
)


class Entering(msgspec.Struct, frozen=True, kw_only=True):
    """What is about to enter the context, before a step."""

    turn: int
    step: int
    """The number of the step that would begin, from 1."""
    inputs: Mapping[str, str]
    """Text by the id of the input; a text that a hook empties does not enter."""


class Reject(msgspec.Struct, frozen=True):
    """The step must not begin: its input is discarded, and the turn ends as `blocked` (SPEC L5)."""

    reason: str


class Rerouted(msgspec.Struct, frozen=True, kw_only=True):
    """A request, and where it goes."""

    request: ModelRequest
    provider: str = ""
    """Name of one of the agent's `providers`; empty: its own."""


class Block(msgspec.Struct, frozen=True):
    """This call must not run; the reason is told to the model."""

    reason: str


class GoOn(msgspec.Struct, frozen=True):
    """Policy `callback`: the turn is not over; this is said to the model next (SPEC L7)."""

    text: str


Verdict = Literal["retry", "give_up"]

Say = Callable[[str], Awaitable[str]]
"""Queues a next-step message, durably, and returns its id."""

PreStep = Callable[[Entering], MaybeAwaitable[Entering | Reject]]
Context = Callable[[tuple[Message, ...]], MaybeAwaitable[Sequence[Message]]]
Request = Callable[[Rerouted], MaybeAwaitable[Rerouted]]
Stream = Callable[[ModelRequest], MaybeAwaitable[AsyncIterator[Delta] | None]]
RequestError = Callable[[ProviderFailure, int], MaybeAwaitable[Verdict | None]]
"""Gets the failure and how many there were in this step. `retry` is still bounded by policy."""
BeforeTool = Callable[[Contract, dict[str, Any]], MaybeAwaitable[Block | None]]
AfterTool = Callable[[Contract, ToolResult], MaybeAwaitable[ToolResult]]
Stopping = Callable[[Turn, Say], MaybeAwaitable[GoOn | None]]
"""Policy `queue`: a hook goes on by saying something through `Say`, never by what it returns.
Policy `callback`: it is asked, and its answer counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """The hooks of one agent."""

    pre_step: tuple[PreStep, ...] = ()
    context: tuple[Context, ...] = ()
    request: tuple[Request, ...] = ()
    stream: tuple[Stream, ...] = ()
    request_error: tuple[RequestError, ...] = ()
    before_tool: tuple[BeforeTool, ...] = ()
    after_tool: tuple[AfterTool, ...] = ()
    stopping: tuple[Stopping, ...] = ()

    def plus(self, other: Hooks) -> Hooks:
        """These, and behind them those of `other` at each point."""
        both = {
            one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)
        }
        return Hooks(**both)


NO_HOOKS = Hooks()


def name_of(hook: object) -> str:
    """What a hook is called in the journal and in errors."""
    return getattr(hook, "__qualname__", "") or type(hook).__qualname__
