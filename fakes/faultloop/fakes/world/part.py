"""A part of the fake world: a state, and tools that are pure functions of it.

A function either raises `ToolFailed`, and then nothing has happened, or returns the whole next
state together with what it tells the caller and, if it changed anything, a sentence for the ledger.
Nothing is changed in place, so half an effect cannot exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from faultloop.fakes.world.tool import WorldTool

S = TypeVar("S")

Args = dict[str, Any]
"""Arguments that have passed the tool's schema, defaults not filled in."""


class ToolFailed(Exception):
    """The tool could not do it, and nothing has changed. The text is for the model."""

    def __init__(self, message: str, *, code: str = "TOOL_FAILED", retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


@dataclass(frozen=True, slots=True)
class Change(Generic[S]):
    """What a tool did."""

    state: S
    """The state from now on."""
    data: str
    """The result, as text that a model can read."""
    what: str | None = None
    """The effect in a sentence for the ledger; None: nothing changed."""


class Made(NamedTuple):
    """Numbers under which things were created, so that an idempotency key finds its thing again."""

    number: int
    arguments: Args


Act = Callable[[S, Args, str | None], Change[S]]
"""(state, arguments, idempotency key) -> change. Raises ToolFailed; pure otherwise."""


class Part(Generic[S]):
    """One part of a world, holding its current state."""

    def __init__(self, state: S, tools: Mapping[str, tuple[WorldTool, Act[S]]]) -> None:
        self.state = state
        self._before = state
        """As it was before the last effect."""
        self.tools = tools
        """By name, in the order in which they are offered, each with what it does."""

    def apply(self, tool: str, args: Args, key: str | None) -> Change[S]:
        """Do it and keep the new state. Raises ToolFailed."""
        _, act = self.tools[tool]
        change = act(self.state, args, key)
        if change.what is not None:
            self._before = self.state
        self.state = change.state
        return change

    def read_before(self, tool: str, args: Args) -> str:
        """What a tool would have said before the last effect. Raises ToolFailed."""
        _, act = self.tools[tool]
        return act(self._before, args, None).data


def declared(*tools: tuple[WorldTool, Act[S]]) -> dict[str, tuple[WorldTool, Act[S]]]:
    """The tools of a part by name, in the order in which they are offered."""
    return {tool.name: (tool, act) for tool, act in tools}
