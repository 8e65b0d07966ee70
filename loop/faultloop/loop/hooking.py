"""Running hooks: one at a time, within their time, and never past the stop signal (SPEC L13, X1).

`_ask` is the only way to a hook. What a hook raises, an answer that it may not give, and a wait
longer than policy allows are journalled; where the table (`hooks.POINTS`) says that the loop
cannot go on without it, `HookBroke` is raised as well. A hook that waits is cut by the stop signal
like any other wait, and nothing is held against it; only `after_tool` is left to finish: what it
would take out of a result must not get into the history because somebody pressed Esc.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from types import NoneType
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from faultloop.loop.checking import Ready
from faultloop.loop.contract import Contract
from faultloop.loop.hooks import (
    POINTS,
    Block,
    Entering,
    GoOn,
    Hooks,
    MaybeAwaitable,
    Point,
    Reject,
    Rerouted,
    Say,
    Verdict,
    name_of,
)
from faultloop.loop.message import Message
from faultloop.loop.output import clean, head
from faultloop.loop.policy import Policy
from faultloop.loop.providers.port import Delta, ModelRequest, ProviderFailure
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import HookBroken
from faultloop.loop.state import Turn
from faultloop.loop.stop import Cut, StopSignal
from faultloop.loop.strict_json import copied
from faultloop.loop.tools.port import ToolResult

T = TypeVar("T")

ERROR_BYTES = 500
"""How much of what a hook raised is kept."""


class HookBroke(Exception):
    """A hook failed where the loop cannot go on without it; the host is at fault."""


class Hooking:
    """Runs the hooks of one session, and journals which of them failed."""

    def __init__(self, hooks: Hooks, *, recorder: Recorder, policy: Policy) -> None:
        self.hooks = hooks
        self.recorder = recorder
        self.policy = policy

    # --- the points, in the order of a turn -----------------------------------------------------

    async def enter(self, entering: Entering, signal: StopSignal) -> Entering | Reject:
        """What enters before a step. Raises HookBroke and Cut."""
        asked = entering.inputs
        for hook in self.hooks.pre_step:
            wants = (Entering, Reject)
            answer = await self._ask("pre_step", hook, entering, wants=wants, signal=signal)
            if isinstance(answer, Reject):
                return answer
            entering = cast(Entering, answer)
        kept = {name: clean(entering.inputs.get(name, "")) for name in asked}
        return replace(entering, inputs=kept)

    async def context(
        self, messages: tuple[Message, ...], signal: StopSignal
    ) -> tuple[Message, ...]:
        """What the next request says was said so far. Raises HookBroke and Cut."""
        for hook in self.hooks.context:
            answer = await self._ask("context", hook, messages, wants=Sequence, signal=signal)
            messages = tuple(cast(Sequence[Message], answer))
        return messages

    async def request(self, going: Rerouted, signal: StopSignal) -> Rerouted:
        """The request, and where it goes. Raises HookBroke and Cut."""
        for hook in self.hooks.request:
            answer = await self._ask("request", hook, going, wants=Rerouted, signal=signal)
            going = cast(Rerouted, answer)
        return going

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta] | None:
        """An answer in the provider's place; the first hook that has one gives it.

        Raises HookBroke. The attempt that it is part of is cut as a whole.
        """
        for hook in self.hooks.stream:
            wants = (AsyncIterator, NoneType)
            answer = await self._ask("stream", hook, request, wants=wants, signal=None)
            if answer is not None:
                return answer
        return None

    async def request_error(
        self, failure: ProviderFailure, failures: int, signal: StopSignal
    ) -> Verdict | None:
        """Whether a failed request is made again; None: as policy says. Raises Cut."""
        verdict: Verdict | None = None
        for hook in self.hooks.request_error:
            given = (failure, failures)
            answer = await self._ask(
                "request_error", hook, *given, wants=(str, NoneType), signal=signal
            )
            verdict = answer or verdict
        return verdict

    async def before_tool(self, ready: Ready, signal: StopSignal) -> Block | None:
        """Whether a valid call is blocked, and why. Raises HookBroke and Cut."""
        for hook in self.hooks.before_tool:
            given = (ready.contract, copied(ready.args))
            wants = (Block, NoneType)
            block = await self._ask("before_tool", hook, *given, wants=wants, signal=signal)
            if block is not None:
                return block
        return None

    async def after_tool(self, contract: Contract, result: ToolResult) -> ToolResult:
        """The result that goes to the model."""
        for hook in self.hooks.after_tool:
            given = (contract, result)
            answer = await self._ask("after_tool", hook, *given, wants=ToolResult, signal=None)
            result = result if answer is None else answer
        return result

    async def stopping(self, turn: Turn, say: Say, signal: StopSignal) -> None:
        """The turn would end now; whoever has something to say says it (SPEC L7). Raises Cut."""
        for hook in self.hooks.stopping:
            given, wants = (turn, say), (GoOn, NoneType)
            answer = await self._ask("stopping", hook, *given, wants=wants, signal=signal)
            if isinstance(answer, GoOn) and self.policy.continuation == "callback":
                await say(answer.text)

    # --- one hook -------------------------------------------------------------------------------

    async def _ask(
        self,
        point: Point,
        hook: Callable[..., MaybeAwaitable[T]],
        *given: object,
        wants: type | tuple[type, ...],
        signal: StopSignal | None,
    ) -> T | None:
        """What this hook answers; None also where it failed and the loop goes on without it."""
        try:
            answer = hook(*given)
            if inspect.isawaitable(answer):
                waiting = _within(answer, self.policy.hook_timeout_s)
                answer = await (waiting if signal is None else signal.cut(waiting))
            if isinstance(answer, wants):
                return cast(T, answer)
            error = f"it answered with a {type(answer).__name__}"
        except Cut:
            raise
        except TimeoutError:
            error = f"it did not answer within {self.policy.hook_timeout_s:g} s"
        except (Exception, KeyboardInterrupt, SystemExit) as raised:
            error = head(clean(f"it raised {raised!r}"), ERROR_BYTES)
        name = name_of(hook)
        await self.recorder.tell(HookBroken(point=point, hook=name, error=error))
        if POINTS[point].instead == "go_on":
            return None
        raise HookBroke(f"the {point} hook {name} failed: {error}")


async def _within(answer: Awaitable[Any], seconds: float) -> Any:
    async with asyncio.timeout(seconds):
        return await answer
