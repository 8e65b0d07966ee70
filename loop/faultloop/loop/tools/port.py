"""The port to the tools: a contract and something that runs it, uniform results (SPEC C4).

A tool decides nothing about other calls: it does one, once, and says how it went. Whether it may
run, when, and whether again is the loop's; a result says what is known of the effect and no more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal, Protocol

import msgspec

from faultloop.loop.contract import Contract

Outcome = Literal["ok", "failed", "unknown"]


class ToolResult(msgspec.Struct, frozen=True, kw_only=True):
    """How one try at a tool went."""

    outcome: Outcome
    """`unknown`: it may or may not have taken effect (504, timeout, reset; SPEC D4)."""
    content: str
    """What the model reads: the data, or what went wrong where and what to do about it."""
    code: str = ""
    """Machine code of a failure (INVALID_ARGS, UNKNOWN_TOOL, TOOL_FAILED, ...)."""
    retryable: bool = False
    truncated: bool = False
    continuation: str = ""
    concludes: bool = False


class ToolContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool is told beside its arguments."""

    call_id: str
    key: str
    """Idempotency key, stable across attempts and restarts (SPEC D3)."""
    attempt: str
    cancelled: asyncio.Event
    """Set when the call should stop; a cancellable tool's task is cancelled as well."""
    progress: Callable[[str], None]


class Tool(Protocol):
    """One tool."""

    @property
    def contract(self) -> Contract:
        """Its declaration."""
        ...

    def run(self, args: dict[str, Any], context: ToolContext) -> Awaitable[ToolResult]:
        """Do it. Whatever it raises becomes an error result (SPEC P9)."""
        ...


Unfit = Callable[[dict[str, Any]], str]
"""What a tool that is stricter than its schema can say has as `unfit`: why valid arguments will not
do, or an empty text. Asked before hooks and permission, so it must be quick and pure (SPEC P10)."""
