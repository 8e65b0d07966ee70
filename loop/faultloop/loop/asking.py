"""Asking the model: one step's request, in as many attempts as it takes (SPEC D5, D8).

An attempt listens to one stream and puts one reply together. Only a reply with a proper end leaves
this module; a stream that broke, stalled or just stopped is a failed attempt, its text goes nowhere
but the screen, and the same request is made again after a wait that grows, is bounded and honours
Retry-After. No tool can run in here, so no retry ever runs one again.

But for policy `starts`: there each call of a reply is committed as soon as it is whole, and may run
from then on while the rest is listened to (SPEC L4). A stream that breaks after that is not made
again: its calls come to their end, and the next step asks with their results in the history, after
the wait that the retry would have had and counted as one.

Seams: `judge`, `retry_wait_s`, `listen` and `assembling` may be overridden one at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from random import Random

import msgspec

from faultloop.loop.assembler import Assembler, Ending, Reply
from faultloop.loop.budget import estimate
from faultloop.loop.events import AttemptStarted
from faultloop.loop.hooking import CannotGoOn, Hooking
from faultloop.loop.hooks import Verdict
from faultloop.loop.message import AssistantMessage, Call, Message
from faultloop.loop.policy import Policy
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    ModelRequest,
    Provider,
    ProviderFailure,
    TextDelta,
)
from faultloop.loop.recorder import Recorder
from faultloop.loop.run_events import MessageDelta
from faultloop.loop.signals import ItemCame, Replied, StepOver, TryBegan, TryEnded
from faultloop.loop.silence import Silence
from faultloop.loop.stop import Cut, StopSignal


class Asking:
    """Takes a step from `asking` to `acting`, or ends it."""

    assembling: type[Assembler] = Assembler

    item_came: Callable[[], None]
    """Called when calls of a reply that still comes have been committed; the driver sets it."""

    def __init__(
        self,
        *,
        recorder: Recorder,
        provider: Provider,
        policy: Policy,
        random: Random,
        hooking: Hooking,
    ) -> None:
        self.recorder = recorder
        self.provider = provider
        self.elsewhere: Provider | None = None
        """Who this step's request goes to in its place, where a hook sent it elsewhere."""
        self.policy = policy
        self.random = random
        self.hooking = hooking
        self.gave_up = ""
        """Why the model is not asked again, where the step's reply broke off after such calls."""
        self._failures = 0
        self._wait_s = 0.0
        """How often in a row requests had failed when one broke off so, and the wait it left."""

    async def ask(self, request: ModelRequest, signal: StopSignal) -> None:
        """Commit the model's message, or end the step: cut by the signal, or failed for good."""
        self.gave_up = ""
        failures = 0
        if self.recorder.state.turn.broken:
            failures = self._failures
            try:
                await signal.cut(asyncio.sleep(self._wait_s))
            except Cut:
                await self._cut(signal)
                return
        while True:
            attempt = await self._begin()
            if attempt is None:
                await self._cut(signal)
                return
            try:
                reply = await signal.cut(self.listen(request, attempt))
            except Cut:
                await self._cut(signal, TryEnded(attempt=attempt, state="interrupted"))
                return
            except ProviderFailure as failure:
                failures += 1
                if not await self._goes_on(attempt, failure, failures, signal):
                    return
            except CannotGoOn as hook:
                await self._give_up(attempt, str(hook))
                return
            else:
                await self.recorder.tell(_replied(attempt, reply))
                return

    def judge(self, reply: Reply) -> Ending:
        """Seam: whether the reply is whole, cut (its calls never run, SPEC P1) or broken."""
        return reply.ending

    def retry_wait_s(self, failure: ProviderFailure, failures: int) -> float | None:
        """Seam: how long to wait after the nth failure, or None to give up."""
        return self.policy.retry_wait_s(failure, failures, self.random)

    async def listen(self, request: ModelRequest, attempt: str) -> Reply:
        """Seam: one attempt. Raises ProviderFailure for every reply that did not come whole, and
        CannotGoOn."""
        taken = _call_ids(self.recorder.state.history, request.messages)
        assembler = self.assembling(attempt, taken=taken)
        by_item = self.policy.starts_items
        stream = await self._stream(request)
        try:
            async with Silence(self.policy.stall_s) as silence:
                async for delta in stream:
                    assembler.feed(delta)
                    if isinstance(delta, TextDelta) and self.recorder.delivery.has_listeners:
                        silence.pause()  # consumers' time is not the provider's silence
                        await self.recorder.publish(MessageDelta(attempt=attempt, text=delta.text))
                    elif (
                        by_item and isinstance(delta, CallDelta) and (items := assembler.settled())
                    ):
                        silence.pause()
                        await self._commit(attempt, items)
                    silence.heard()
        except ProviderFailure as failure:
            failure.usage = failure.usage or assembler.usage
            raise
        except TimeoutError:
            raise ProviderFailure(
                "timeout",
                f"nothing came from the provider for {self.policy.stall_s:g} s",
                usage=assembler.usage,
            ) from None
        finally:
            await _let_go(stream)
        reply = assembler.finish()
        ending = self.judge(reply)
        if ending == "broken":
            raise ProviderFailure(
                "broken",
                "the reply ended without a finish reason or end mark",
                usage=assembler.usage,
            )
        message = msgspec.structs.replace(reply.message, truncated=ending == "cut")
        # A provider that counts nothing must not make a token limit mean nothing.
        usage = reply.usage or estimate(request, message)
        return Reply(message=message, ending=ending, usage=usage)

    async def _commit(self, attempt: str, items: tuple[Call, ...]) -> None:
        """These calls are durable before anybody hears of them (SPEC D1)."""
        await self.recorder.tell(*(ItemCame(attempt=attempt, call=call) for call in items))
        self.item_came()

    async def _stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The provider's answer, or a hook's in its place (SPEC L13)."""
        own = await self.hooking.stream(request)
        provider = self.elsewhere or self.provider
        return provider.stream(request) if own is None else own

    async def _goes_on(
        self, attempt: str, failure: ProviderFailure, failures: int, signal: StopSignal
    ) -> bool:
        """Close a failed attempt and wait for the next one's time; False: the step is over."""
        ended: tuple[TryEnded, ...] = (
            TryEnded(attempt=attempt, state="failed", detail=str(failure), usage=failure.usage),
        )
        if self.recorder.state.turn.batch:
            await self.recorder.tell(*ended)
            await self._leave(failure, failures, signal)
            return False
        try:
            wait_s = await self._retry_wait_s(failure, failures, signal)
            if wait_s is None:
                over = StepOver(error=_given_up(failure, failures))
                await self.recorder.tell(*ended, over)
                return False
            await self.recorder.tell(*ended)
            ended = ()
            await signal.cut(asyncio.sleep(wait_s))
        except Cut:
            await self._cut(signal, *ended)
            return False
        return True

    async def _give_up(self, attempt: str, error: str) -> None:
        """A hook failed that was to answer: the step is over, once its calls are."""
        ended = TryEnded(attempt=attempt, state="failed", detail=error)
        if self.recorder.state.turn.batch:
            self.gave_up = error
            await self.recorder.tell(ended)
        else:
            await self.recorder.tell(ended, StepOver(error=error))

    async def _leave(self, failure: ProviderFailure, failures: int, signal: StopSignal) -> None:
        """The reply broke off after calls of it were committed: another step is to ask again."""
        self._failures, self._wait_s = failures, 0.0
        try:
            wait_s = await self._retry_wait_s(failure, failures, signal)
        except Cut:
            return  # there will be no other step
        if wait_s is None:
            self.gave_up = _given_up(failure, failures)
        else:
            self._wait_s = wait_s

    async def _retry_wait_s(
        self, failure: ProviderFailure, failures: int, signal: StopSignal
    ) -> float | None:
        """How long to wait after the nth failure, or None to give up. Raises Cut."""
        wait_s = self.retry_wait_s(failure, failures)
        verdict = await self.hooking.request_error(failure, failures, signal)
        return wait_s if verdict is None else self._wait_as_told(verdict, wait_s, failures)

    def _wait_as_told(self, verdict: Verdict, wait_s: float | None, failures: int) -> float | None:
        """A hook may give up early, or have a refused request made again, as often as policy."""
        if verdict == "give_up":
            return None
        backoff = self.policy.request_backoff
        if wait_s is None and failures <= backoff.retries_max:
            return backoff.wait_s(failures, self.random)
        return wait_s

    async def _begin(self) -> str | None:
        """The attempt, or None: the turn was stopped since its step began (SPEC X1)."""
        events = await self.recorder.tell(TryBegan(of="model"))
        begun = (event.attempt for event in events if isinstance(event, AttemptStarted))
        return next(begun, None)

    async def _cut(self, signal: StopSignal, *ended: TryEnded) -> None:
        """The signal fired: close what is open, and say first who fired it.

        Calls that were committed are open as well, and not closed in here.
        """
        what = () if signal.what is None else (signal.what,)
        over = () if self.recorder.state.turn.batch else (StepOver(),)
        await self.recorder.tell(*what, *ended, *over)


def _replied(attempt: str, reply: Reply) -> Replied:
    return Replied(attempt=attempt, message=reply.message, usage=reply.usage)


def _given_up(failure: ProviderFailure, failures: int) -> str:
    tries = "one attempt" if failures == 1 else f"{failures} attempts"
    return f"the model request failed after {tries}: {failure}"


def _call_ids(*said: Sequence[Message]) -> frozenset[str]:
    """Ids that the conversation has used, whatever hooks left out of the request, or put into it;
    a model that repeats one gets it renamed."""
    return frozenset(
        call.id
        for messages in said
        for message in messages
        if isinstance(message, AssistantMessage)
        for call in message.calls
    )


async def _let_go(stream: AsyncIterator[Delta]) -> None:
    """Close the connection now; an abandoned generator would be closed at some later time."""
    close = getattr(stream, "aclose", None)
    if close is not None:
        with suppress(Exception):  # the reply is whole or lost; how the wire is let go is no news
            await close()
