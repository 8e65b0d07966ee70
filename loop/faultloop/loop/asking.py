"""Asking the model: one step's request, in as many attempts as it takes (SPEC D5, D8).

An attempt listens to one stream and puts one reply together. Only a reply with a proper end leaves
this module; a stream that broke, stalled or just stopped is a failed attempt, its text goes nowhere
but the screen, and the same request is made again after a wait that grows, is bounded and honours
Retry-After. No tool can run in here, so no retry ever runs one again.

Seams: `judge`, `retry_wait_s` and `listen` may be overridden one at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from random import Random

import msgspec

from faultloop.loop.assembler import Assembler, Ending, Reply
from faultloop.loop.budget import estimate
from faultloop.loop.events import AttemptStarted
from faultloop.loop.message import AssistantMessage
from faultloop.loop.policy import Policy
from faultloop.loop.providers.port import (
    Delta,
    ModelRequest,
    Provider,
    ProviderFailure,
    TextDelta,
)
from faultloop.loop.recorder import Recorder
from faultloop.loop.run_events import MessageDelta
from faultloop.loop.signals import Replied, StepOver, TryBegan, TryEnded
from faultloop.loop.silence import Silence
from faultloop.loop.stop import Cut, StopSignal


class Asking:
    """Takes a step from `asking` to `acting`, or ends it."""

    def __init__(
        self, *, recorder: Recorder, provider: Provider, policy: Policy, random: Random
    ) -> None:
        self.recorder = recorder
        self.provider = provider
        self.policy = policy
        self.random = random

    async def ask(self, request: ModelRequest, signal: StopSignal) -> None:
        """Commit the model's message, or end the step: cut by the signal, or failed for good."""
        failures = 0
        while True:
            attempt = await self._begin()
            if attempt is None:
                await self._cut(signal)
                return
            try:
                reply = await signal.cut(self.listen(request, attempt))
            except Cut:
                await self._cut(signal, attempt)
                return
            except ProviderFailure as failure:
                failures += 1
                ended = TryEnded(
                    attempt=attempt, state="failed", detail=str(failure), usage=failure.usage
                )
                wait_s = self.retry_wait_s(failure, failures)
                if wait_s is None:
                    error = _given_up(failure, failures)
                    await self.recorder.tell(ended, StepOver(error=error))
                    return
                await self.recorder.tell(ended)
            else:
                await self.recorder.tell(_replied(attempt, reply))
                return
            try:
                await signal.cut(asyncio.sleep(wait_s))
            except Cut:
                await self._cut(signal)
                return

    def judge(self, reply: Reply) -> Ending:
        """Seam: whether the reply is whole, cut (its calls never run, SPEC P1) or broken."""
        return reply.ending

    def retry_wait_s(self, failure: ProviderFailure, failures: int) -> float | None:
        """Seam: how long to wait after the nth failure, or None to give up."""
        return self.policy.retry_wait_s(failure, failures, self.random)

    async def listen(self, request: ModelRequest, attempt: str) -> Reply:
        """Seam: one attempt. Raises ProviderFailure for every reply that did not come whole."""
        taken = _call_ids(request)
        assembler = Assembler(attempt, taken=taken)
        stream = self.provider.stream(request)
        try:
            async with Silence(self.policy.stall_s) as silence:
                async for delta in stream:
                    assembler.feed(delta)
                    if isinstance(delta, TextDelta) and self.recorder.delivery.has_listeners:
                        silence.pause()  # consumers' time is not the provider's silence
                        await self.recorder.publish(MessageDelta(attempt=attempt, text=delta.text))
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

    async def _begin(self) -> str | None:
        """The attempt, or None: the turn was stopped since its step began (SPEC X1)."""
        events = await self.recorder.tell(TryBegan(of="model"))
        begun = (event.attempt for event in events if isinstance(event, AttemptStarted))
        return next(begun, None)

    async def _cut(self, signal: StopSignal, attempt: str | None = None) -> None:
        """The signal fired: close what is open, and say first who fired it."""
        what = () if signal.what is None else (signal.what,)
        ended = () if attempt is None else (TryEnded(attempt=attempt, state="interrupted"),)
        await self.recorder.tell(*what, *ended, StepOver())


def _replied(attempt: str, reply: Reply) -> Replied:
    return Replied(attempt=attempt, message=reply.message, usage=reply.usage)


def _given_up(failure: ProviderFailure, failures: int) -> str:
    tries = "one attempt" if failures == 1 else f"{failures} attempts"
    return f"the model request failed after {tries}: {failure}"


def _call_ids(request: ModelRequest) -> frozenset[str]:
    """Ids that the conversation has used; a model that repeats one gets it renamed."""
    return frozenset(
        call.id
        for message in request.messages
        if isinstance(message, AssistantMessage)
        for call in message.calls
    )


async def _let_go(stream: AsyncIterator[Delta]) -> None:
    """Close the connection now; an abandoned generator would be closed at some later time."""
    close = getattr(stream, "aclose", None)
    if close is not None:
        with suppress(Exception):  # the reply is whole or lost; how the wire is let go is no news
            await close()
