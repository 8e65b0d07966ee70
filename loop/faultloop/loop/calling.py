"""One call's life, from its write-ahead to its result.

    begin     `CallStarted` is durable; the next thing that happens is the execution (SPEC D1)
    live      a try; where a repeat is harmless and allowed, a wait and another (SPEC D4)
    query     the end was not seen: ask the world, where the contract says how (SPEC D2)
    over      `CallEnded` is durable, its result in budget (SPEC C7)

Only the work of a tool is ever cancelled, never the task that leads a call through its life, so a
call that began always reaches its end.

Seams, one small method each: `begin`, `key`, `attempt`, `retry_wait_s`, `query`, `bounded`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import Any, Literal

from msgspec.structs import replace

from faultloop.loop import wording
from faultloop.loop.arguments import canonical
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.contract import Contract
from faultloop.loop.events import AnyEvent, AttemptStarted
from faultloop.loop.hooking import Hooking
from faultloop.loop.offer import Offer
from faultloop.loop.output import fit_result
from faultloop.loop.policy import Policy
from faultloop.loop.recorder import Recorder
from faultloop.loop.registry import Query
from faultloop.loop.run_events import QUERY, ToolProgress
from faultloop.loop.schedule import in_the_way
from faultloop.loop.signals import CallBegan, CallOver, LimitHit, Stopped, TryBegan, TryEnded
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import Cut, StopSignal
from faultloop.loop.tools.port import Tool, ToolContext, ToolResult
from faultloop.loop.trying import Trying

Ended = Literal["ok", "failed"]


class Calling:
    """Leads calls through their lives."""

    permitted: Callable[[Ready, StopSignal], Awaitable[Ready | Refused]]
    """Whether hooks and permission let a query run as well; `Executing` sets it. Raises Cut."""

    def __init__(
        self,
        *,
        recorder: Recorder,
        offer: Offer,
        policy: Policy,
        random: Random,
        session: str,
        hooking: Hooking,
    ) -> None:
        self.recorder = recorder
        self.offer = offer
        self.policy = policy
        self.random = random
        self.session = session
        self.hooking = hooking
        self.trying = Trying(policy)

    async def begin(self, ready: Ready) -> str:
        """Seam: write ahead that the call starts. Returns its first attempt's id."""
        began = CallBegan(
            record=ready.record,
            tool=ready.contract.name,
            given=canonical(ready.args),
            key=self.key(ready.record),
        )
        return _attempt(await self.recorder.tell(began)) or ""

    def key(self, record: CallRecord) -> str:
        """Seam: the idempotency key, the same in every attempt and after a restart (SPEC D3)."""
        return _hashed(f"{self.session}/{record.call}/{record.id}")

    async def live(self, ready: Ready, first: str, signal: StopSignal) -> Ended:
        """One call from its first attempt to its result."""
        if signal.fired:  # between the write-ahead and here: it really was not executed
            code = stop_code(signal)
            content = wording.not_executed(code)
            result = ToolResult(outcome="failed", code=code, content=content)
            return await self._over(ready, first, result)
        attempt, failures = first, 0
        while True:
            result = await self.attempt(ready, attempt, signal)
            failures += 1
            wait_s = self.retry_wait_s(ready.contract, result, failures)
            if wait_s is None or signal.fired:
                break
            await self.recorder.tell(TryEnded(attempt=attempt, state="failed", detail=result.code))
            again = await self._again(ready, wait_s, signal)
            if again is None:
                return await self._over(ready, None, result)
            attempt = again
        if result.outcome == "unknown" and not signal.fired:
            result = await self.query(ready, result, signal)
        return await self._over(ready, attempt, result)

    async def attempt(self, ready: Ready, attempt: str, signal: StopSignal) -> ToolResult:
        """Seam: one try."""
        return await self._run(ready.tool, ready.args, ready.record, attempt, signal)

    def retry_wait_s(self, contract: Contract, result: ToolResult, failures: int) -> float | None:
        """Seam: seconds until a failed call is tried again, or None if it must not be (D4)."""
        harmless = contract.read_only or contract.idempotent or contract.honours_key
        backoff = self.policy.tool_backoff
        if result.outcome == "ok" or not result.retryable or not harmless:
            return None
        return backoff.wait_s(failures, self.random) if failures <= backoff.retries_max else None

    async def query(self, ready: Ready, result: ToolResult, signal: StopSignal) -> ToolResult:
        """Seam: ask the world what became of a call whose end was not seen."""
        if not self.policy.query_unknown:
            return result
        query = self.offer.offered.query(ready.contract, ready.args)
        answer = None if query is None else await self.answer(ready.record, query, signal)
        if query is None or answer is None:
            return result
        name = query.tool.contract.name
        return replace(result, content=wording.queried(result.content, name, answer))

    async def answer(self, record: CallRecord, query: Query, signal: StopSignal) -> str | None:
        """What the world says of a call; None if it cannot tell, or must not be asked.

        Hooks and permission have the same say in it as in a call of the model's (SPEC L13, P10).
        """
        asked = replace(record, call=f"{record.call}{QUERY}", id=f"{record.id}:query")
        try:
            ready = Ready(record=asked, tool=query.tool, args=query.args)
            if isinstance(await self.permitted(ready, signal), Refused):
                return None
        except Cut:
            return None
        attempt = _attempt(await self.recorder.tell(TryBegan(of="query", call=record.call))) or ""
        asker = replace(record, id=f"{record.id}:query", key=f"{self.key(record)}:query")
        result = await self._run(query.tool, query.args, asker, attempt, signal)
        answered = result.outcome == "ok"
        how: Literal["completed", "failed"] = "completed" if answered else "failed"
        await self.recorder.tell(TryEnded(attempt=attempt, state=how, detail=result.code))
        if not answered:
            return None
        told, withheld = await self.hooking.after_tool(query.tool.contract, result)
        if withheld or told.outcome != "ok":
            return None
        return self.bounded(told, query.tool.contract).content

    def bounded(self, result: ToolResult, contract: Contract) -> ToolResult:
        """Seam: the result within its budget."""
        return fit_result(result, contract.output_budget_bytes)

    def in_the_way(self, ready: Ready) -> str | None:
        """The tool whose earlier work could not be stopped and forbids this call to start."""
        strays = self.trying.strays.values()
        stray = in_the_way(ready.planned, strays) if strays else None
        return None if stray is None or stray.contract is None else stray.contract.name

    async def _again(self, ready: Ready, wait_s: float, signal: StopSignal) -> str | None:
        """Wait, and begin another try; None if the turn was stopped meanwhile."""
        try:
            await signal.cut(asyncio.sleep(wait_s))
        except Cut:
            return None
        return _attempt(await self.recorder.tell(TryBegan(of="tool", call=ready.record.call)))

    async def _run(
        self, tool: Tool, args: dict[str, Any], record: CallRecord, attempt: str, signal: StopSignal
    ) -> ToolResult:
        def progress(text: str) -> None:
            self.recorder.note(ToolProgress(call=record.call, text=text))

        context = ToolContext(
            call_id=record.id,
            key=record.key or self.key(record),
            attempt=attempt,
            cancelled=signal.event,
            progress=progress,
        )
        self.recorder.check_lease()
        return await self.trying.run(tool, args, context, signal)

    async def _over(self, ready: Ready, attempt: str | None, result: ToolResult) -> Ended:
        result, _ = await self.hooking.after_tool(ready.contract, result)
        if ready.warning:
            result = replace(result, content=f"{ready.warning}\n{result.content}")
        bounded = self.bounded(result, ready.contract)
        over = CallOver(
            record=ready.record,
            attempt=attempt,
            outcome=bounded.outcome,
            content=bounded.content,
            code=bounded.code,
            truncated=bounded.truncated,
            continuation=bounded.continuation,
            repairs=ready.repairs,
            concludes=bounded.concludes and ready.contract.concludes,
        )
        await self.recorder.tell(over)
        return "ok" if bounded.outcome == "ok" else "failed"


@lru_cache(maxsize=256)  # asked for when the call is written ahead, and at each attempt
def _hashed(place: str) -> str:
    return blake2b(place.encode(), digest_size=16).hexdigest()


def stop_code(signal: StopSignal) -> str:
    """The code of a call that did not start because the signal fired."""
    match signal.what:
        case LimitHit():
            return "TIMEOUT"
        case Stopped(cause="user"):
            return "CANCELLED"
        case _:
            return "STOPPED"


def _attempt(events: Sequence[AnyEvent]) -> str | None:
    return next((event.attempt for event in events if isinstance(event, AttemptStarted)), None)
