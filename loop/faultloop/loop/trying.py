"""One try at a tool: whatever it does, a `ToolResult` comes out (SPEC C6, P9, X5).

it returns                       its result, if that is one
it raises                        unknown, or failed if it only reads; a bounded summary
the signal fires, cancellable    its task is cancelled and given a grace; then as above
the signal fires, not            it is waited for, and may still end well
time is up, cancellable          the same as for the signal
time is up, not                  reported as still running, never as stopped
grace is up                      reported as still running, never as stopped
"""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from faultloop.loop import wording
from faultloop.loop.contract import Contract
from faultloop.loop.output import clean, head
from faultloop.loop.policy import Policy
from faultloop.loop.schedule import Planned
from faultloop.loop.stop import StopSignal
from faultloop.loop.strict_json import copied
from faultloop.loop.tools.port import Tool, ToolContext, ToolResult

SUMMARY_BYTES = 500
"""How much of an exception's text the model is told."""


class Trying:
    """Runs tools, and remembers what could not be stopped."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.strays: dict[asyncio.Future[Any], Planned] = {}
        """Work that was given up but may still be running, with the call that it was for."""

    async def run(
        self, tool: Tool, args: dict[str, Any], context: ToolContext, signal: StopSignal
    ) -> ToolResult:
        """Try once. Cancelling this very coroutine stops the work before it lets go."""
        contract = tool.contract
        work = asyncio.create_task(_work(tool, copied(args), context))
        try:
            if contract.cancellable:
                await signal.over(work, timeout_s=self.policy.tool_timeout_s)
                late = not (work.done() or signal.fired)
                if late:
                    work.cancel()  # as the signal does itself
                if not work.done():
                    await asyncio.wait([work], timeout=self.policy.stop_grace_s)
            else:
                await asyncio.wait([work], timeout=self.policy.tool_timeout_s)
                late = not work.done()
        except asyncio.CancelledError:
            work.cancel()
            await asyncio.wait([work], timeout=self.policy.stop_grace_s)
            raise
        finally:
            if not work.done():
                self.strays[work] = Planned(call=context.call_id, contract=contract, args=args)
                work.add_done_callback(self._strayed_home)
        return self._outcome(contract, work, why="TIMEOUT" if late else "CANCELLED")

    def _outcome(
        self,
        contract: Contract,
        work: asyncio.Future[ToolResult],
        *,
        why: Literal["TIMEOUT", "CANCELLED"],
    ) -> ToolResult:
        seconds = self.policy.tool_timeout_s
        if not work.done():
            return wording.still_running(contract, why, seconds=seconds)
        if work.cancelled():
            return wording.unseen(contract, why, seconds=seconds)
        error = work.exception()
        if error is not None:
            return _raised(contract, _summary(error))
        try:
            return _checked(work.result())
        except msgspec.ValidationError as wrong:
            return _raised(contract, f"a result that is none ({wrong})")

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
    """As a coroutine, so that what `run` raises before its first await is caught as well.

    SystemExit and KeyboardInterrupt would leave the task through the event loop, past everybody who
    waits, and nothing would be closed: from a tool they are failures like any other (SPEC P9).
    """
    try:
        return await tool.run(args, context)
    except (KeyboardInterrupt, SystemExit) as error:
        raise RuntimeError(f"it tried to end the program ({error!r})") from error


def _raised(contract: Contract, error: str) -> ToolResult:
    """Retried by nobody: an exception does not say that the next try could go better (D4)."""
    return replace(wording.unseen(contract, "RAISED", error=error), retryable=False)


def _checked(result: object) -> ToolResult:
    """The result, if every field of it is what it must be: a journal would not take another."""
    if not isinstance(result, ToolResult):
        raise msgspec.ValidationError(f"it is of type {type(result).__name__}")
    return msgspec.convert(msgspec.structs.asdict(result), ToolResult)


def _summary(error: BaseException) -> str:
    name = type(error).__name__
    try:
        text = head(" ".join(clean(str(error)).split()), SUMMARY_BYTES)
    except Exception:  # it cannot even say what it is
        return f"{name}, whose text cannot be had"
    return f"{name}: {text}" if text else name
