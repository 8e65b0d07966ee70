"""One try at a tool: whatever it does, a `ToolResult` comes out (SPEC C6, P9, X5).

it returns                       its result
it raises                        unknown, or failed if it only reads; a bounded summary
the signal fires, cancellable    its task is cancelled and waited for; then as above
the signal fires, not            it is waited for, and may still end well
time is up, cancellable          the same as for the signal
time is up, not                  reported as still running, never as stopped
"""

from __future__ import annotations

import asyncio
from typing import Any

from faultloop.loop import wording
from faultloop.loop.contract import Contract
from faultloop.loop.output import head
from faultloop.loop.policy import Policy
from faultloop.loop.stop import StopSignal
from faultloop.loop.tools.port import Tool, ToolContext, ToolResult

SUMMARY_BYTES = 500
"""How much of an exception's text the model is told."""


class Trying:
    """Runs tools, and remembers what could not be stopped."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.strays: dict[asyncio.Future[Any], None] = {}
        """Work that was given up but may still be running."""

    async def run(
        self, tool: Tool, args: dict[str, Any], context: ToolContext, signal: StopSignal
    ) -> ToolResult:
        """Try once. Cancelling this very coroutine stops the work before it lets go."""
        contract = tool.contract
        work = asyncio.ensure_future(_work(tool, args, context))
        try:
            if contract.cancellable:
                with signal.watching(work):
                    await asyncio.wait([work], timeout=self.policy.tool_timeout_s)
            else:
                await asyncio.wait([work], timeout=self.policy.tool_timeout_s)
            late = not work.done()
            if late and contract.cancellable:
                work.cancel()
                await asyncio.wait([work], timeout=self.policy.stop_grace_s)
        except asyncio.CancelledError:
            work.cancel()
            await asyncio.wait([work], timeout=self.policy.stop_grace_s)
            raise
        return self._outcome(contract, work, late=late)

    def _outcome(
        self, contract: Contract, work: asyncio.Future[ToolResult], *, late: bool
    ) -> ToolResult:
        seconds = self.policy.tool_timeout_s
        if not work.done():
            self.strays[work] = None
            work.add_done_callback(self._strayed_home)
            return wording.unseen(contract, "STILL_RUNNING", seconds=seconds)
        if work.cancelled():
            if late:
                return wording.unseen(contract, "TIMEOUT", seconds=seconds)
            return wording.unseen(contract, "CANCELLED")
        error = work.exception()
        if error is not None:
            return wording.unseen(contract, "RAISED", error=_summary(error))
        result = work.result()
        if not isinstance(result, ToolResult) or not isinstance(result.content, str):
            kind = type(result).__name__
            return wording.unseen(contract, "RAISED", error=f"a {kind} in place of a result")
        return result

    def _strayed_home(self, work: asyncio.Future[Any]) -> None:
        self.strays.pop(work, None)
        if not work.cancelled():
            work.exception()  # looked at, so that asyncio does not complain of it

    async def close(self) -> None:
        """Let go of what still runs here; work that lives elsewhere may go on."""
        strays = list(self.strays)
        for work in strays:
            work.cancel()
        if strays:
            await asyncio.wait(strays, timeout=self.policy.stop_grace_s)


async def _work(tool: Tool, args: dict[str, Any], context: ToolContext) -> ToolResult:
    """As a coroutine, so that what `run` raises before its first await is caught as well."""
    return await tool.run(args, context)


def _summary(error: BaseException) -> str:
    text = head(" ".join(str(error).split()), SUMMARY_BYTES)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
