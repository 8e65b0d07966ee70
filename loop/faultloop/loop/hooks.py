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


class Interception(NamedTuple):
    """One interception point."""

    may: str
    """What a hook may do there."""
    instead: str
    """What happens in the place of one that raised, hung, or answered with what it may not."""
    needed: bool
    """Whether that is because the loop cannot go on without its answer."""


POINTS: Mapping[Point, Interception] = MappingProxyType(
    {
        "pre_step": Interception(
            "rewrite the input that is about to enter, or reject it",
            "the input is discarded, and the turn ends as `error`",
            needed=True,
        ),
        "context": Interception(
            "change what the request says was said so far",
            "the step fails, and the turn ends as `error`",
            needed=True,
        ),
        "request": Interception(
            "change the request, or send it to another provider",
            "the step fails, and the turn ends as `error`",
            needed=True,
        ),
        "stream": Interception(
            "answer in the provider's place",
            "the step fails, is not asked again, and the turn ends as `error`",
            needed=True,
        ),
        "request_error": Interception(
            "say whether a failed request is made again", "policy says it", needed=False
        ),
        "before_tool": Interception(
            "block a valid call", "the call is not executed, and the model is told", needed=True
        ),
        "after_tool": Interception(
            "rewrite a result, or its being an error",
            "the outcome stays, and what the tool said is withheld from everybody",
            needed=False,
        ),
        "stopping": Interception(
            "say something before the loop stops, so that it goes on", "it stops", needed=False
        ),
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
"""An async generator function always answers; one that would rather not at times is a plain
function that returns such a generator, or None. Its first delta has to come within a hook's time;
from then on its silence is a provider's. `ProviderFailure` is what it may raise: the request has
failed as if the provider had."""
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
