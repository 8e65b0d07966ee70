"""Tools that note each run, and gates that anything can be held at.

A gate replaces sleeping: whoever comes to it says so and waits until somebody opens it, so a story
can act exactly then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from faultloop.loop.contract import Contract
from faultloop.loop.tools.port import ToolContext, ToolResult

PARAMETERS: dict[str, Any] = {"type": "object", "properties": {"x": {"type": "string"}}}
"""One optional text."""

SAFE: dict[str, Any] = {"read_only": True, "concurrency_safe": True, "cancellable": True}
"""The declaration of a read that may run beside others."""


class Gate:
    """Holds whoever comes to it until it is opened; once open it holds nobody."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._open = asyncio.Event()

    async def passed(self) -> None:
        """Come to the gate and wait."""
        self.reached.set()
        await self._open.wait()

    def open(self) -> None:
        """Let all through, now and later."""
        self._open.set()


Body = Callable[[dict[str, Any], ToolContext], Awaitable[ToolResult | str] | ToolResult | str]
"""What a toy does; a text is a good result."""


def done(args: dict[str, Any], context: ToolContext) -> str:
    """Do nothing, well."""
    return "done"


@dataclass(slots=True)
class Toy:
    """A tool that notes each run."""

    contract: Contract
    body: Body = done
    runs: list[dict[str, Any]] = field(default_factory=list)
    contexts: list[ToolContext] = field(default_factory=list)

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Note it and do it."""
        self.runs.append(args)
        self.contexts.append(context)
        result = self.body(args, context)
        if isinstance(result, Awaitable):
            result = await result
        return ToolResult(outcome="ok", content=result) if isinstance(result, str) else result
