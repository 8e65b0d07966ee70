"""A stream hook answers, and then fails, hangs or does not stop: it is a hook that failed."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, cast

import pytest
from msgspec.structs import replace

from faultloop.fakes import clock
from faultloop.loop.events import AttemptEnded, HookFailed
from faultloop.loop.hooks import Hooks
from faultloop.loop.policy import Backoff
from faultloop.loop.providers.port import CallDelta, ProviderFailure, TextDelta

from .story import Scripted, Story, say
from .test_hooks import ended, story
from .test_hooks_that_fail import (
    Deaf,
    cancels,
    closed,
    fails_a_test,
    hangs,
    raises,
    times_out,
)


def streams(*deltas: Any, then: Callable[[], Any]) -> Callable[..., AsyncIterator[Any]]:
    async def hook(request: Any) -> AsyncIterator[Any]:
        for delta in deltas:
            yield delta
        result = then()
        if inspect.isawaitable(result):
            await result

    return hook


BREAKS: dict[str, Callable[..., Any]] = {
    "raises": streams(TextDelta("so"), then=raises),
    "exits": streams(TextDelta("so"), then=lambda: sys.exit(3)),
    "cancels": streams(TextDelta("so"), then=cancels),
    "fails a test": streams(TextDelta("so"), then=fails_a_test),
    "says what is no delta": streams(TextDelta("so"), "far", then=lambda: None),
    "says half a delta": streams(TextDelta(cast(str, None)), then=lambda: None),
    "does not begin": streams(then=hangs),
    "times out": streams(then=times_out),
}


@pytest.mark.parametrize("kind", BREAKS)
def test_a_stream_that_breaks_is_a_hook_that_failed_and_nobody_is_asked_again(kind) -> None:
    hooks = Hooks(stream=(BREAKS[kind],), request_error=(lambda failure, n: "retry",))
    told = story(say("from the provider"), hooks=hooks)
    assert ended(told).end_reason == "error"
    assert [event.point for event in told.of(HookFailed)] == ["stream"]
    assert told.model.requests == []
    closed(told)


class Pieces:
    """A stream that is no generator, and cannot be closed."""

    def __init__(self, request: Any) -> None:
        self.left = list(say("from the cache"))

    def __aiter__(self) -> Pieces:
        return self

    async def __anext__(self) -> Any:
        if not self.left:
            raise StopAsyncIteration
        return self.left.pop(0)


class DeafStream:
    """A stream that goes on when it is told to stop, until the story is over."""

    def __init__(self, at: str) -> None:
        self.deaf = Deaf()
        self.at = at

    async def __call__(self, request: Any) -> AsyncIterator[Any]:
        if self.at == "before its first delta":
            await self.deaf()
        yield TextDelta("so")
        try:
            if self.at == "behind a delta":
                await self.deaf()
            await hangs()
        finally:
            if self.at == "at its end":
                await self.deaf()


ONCE = Backoff(retries_max=0, base_s=0.0, cap_s=0.0)
DEAF_AT = ("before its first delta", "behind a delta", "at its end")


def deaf_story(hook: Callable[..., Any], **policy: Any) -> Story:
    told = story(hooks=Hooks(stream=(hook,)), stop_grace_s=3.0, **policy)
    told.policy = dataclasses.replace(told.policy, request_backoff=ONCE)
    return told


@pytest.mark.parametrize("at", DEAF_AT)
@pytest.mark.parametrize("cancelled", [True, False])
def test_a_stream_that_cannot_be_stopped_is_left_behind_after_a_grace(at, cancelled) -> None:
    hook = DeafStream(at)
    told = deaf_story(hook, stall_s=20.0)
    agent = told.agent()

    async def turn() -> tuple[str, float]:
        loop = asyncio.get_running_loop()
        if cancelled:
            loop.call_later(1, agent.cancel)
        end = await agent.prompt("go")
        took_s = loop.time()
        loop.call_later(1, setattr, hook.deaf, "over", True)
        await agent.close()
        return end.end_reason, took_s

    reason, took_s = clock.run(turn, seed=0)
    assert reason == ("aborted" if cancelled else "error")
    waited_s = 1.0 if cancelled else (5.0 if at == DEAF_AT[0] else 20.0)
    assert took_s == pytest.approx(waited_s + 3.0)
    (failed,) = told.of(HookFailed)
    assert failed.error.endswith(
        "could not be stopped" if at == DEAF_AT[0] and not cancelled else "and goes on"
    )
    closed(told)


def test_an_answer_that_was_whole_stays_whole_though_its_end_never_comes() -> None:
    class Whole(Pieces):
        async def aclose(self) -> None:
            await deaf()

    deaf = Deaf()
    told = deaf_story(Whole)
    agent = told.agent()

    async def turn() -> str:
        end = await agent.prompt("go")
        deaf.over = True
        return end.text

    assert clock.run(turn, seed=0) == "from the cache"
    (failed,) = told.of(HookFailed)
    assert failed.error == "it was told to stop, and goes on"


@pytest.mark.parametrize("trouble", [raises, fails_a_test, lambda: sys.exit(3)])
def test_how_a_stream_is_let_go_changes_nothing(trouble) -> None:
    class Whole(Pieces):
        async def aclose(self) -> None:
            trouble()

    told = deaf_story(Whole)
    assert ended(told).text == "from the cache"
    assert told.of(HookFailed) == []


def test_a_stream_that_swallows_its_stop_and_goes_on_is_read_no_further() -> None:
    said: list[str] = []

    async def hook(request: Any) -> AsyncIterator[Any]:
        yield TextDelta("so")
        with suppress(asyncio.CancelledError):
            await hangs()
        said.append("far")
        yield TextDelta("far")
        said.append("and further")

    told = deaf_story(hook, stall_s=20.0)
    assert ended(told).end_reason == "error"
    assert said == ["far"]
    assert told.of(HookFailed) == []
    closed(told)


def test_a_stream_may_hold_a_limit_open_from_one_piece_to_the_next() -> None:
    async def hook(request: Any) -> AsyncIterator[Any]:
        async with asyncio.timeout(60):
            for delta in say("from the cache"):
                await asyncio.sleep(1)
                yield delta

    told = deaf_story(hook)
    assert ended(told).text == "from the cache"
    assert told.of(HookFailed) == []


def test_a_stream_that_breaks_behind_a_call_that_runs_ends_the_turn_behind_it() -> None:
    item = (CallDelta(0, "c0", "act", "{}"), CallDelta(1, "c1", "act", "{}"))
    hook = streams(*item, then=raises)
    told = story(hooks=Hooks(stream=(hook,)), starts="each_item")
    end = ended(told)
    assert end.end_reason == "error"
    assert "no such key" in end.error
    assert len(told.of(HookFailed)) == 1
    closed(told)


def test_a_stream_need_not_be_one_that_can_be_closed() -> None:
    told = story(hooks=Hooks(stream=(Pieces,)))
    assert ended(told).text == "from the cache"


def test_a_hook_may_say_that_the_request_failed_and_then_policy_has_its_way() -> None:
    def down() -> None:
        raise ProviderFailure("unavailable", "503")

    told = story(hooks=Hooks(stream=(streams(then=down),)))
    assert ended(told).end_reason == "error"
    assert told.of(HookFailed) == []
    assert len(told.of(AttemptEnded)) == 1 + told.policy.request_backoff.retries_max


def test_the_stream_hook_that_broke_is_not_asked_again_either() -> None:
    hooks = Hooks(stream=(raises,), request_error=(lambda failure, n: "retry",))
    told = story(hooks=hooks)
    ended(told)
    assert len(told.of(HookFailed)) == 1


def test_a_retry_after_a_reroute_goes_where_the_first_try_went() -> None:
    other = Scripted([ProviderFailure("unavailable", "503")], say("from b"))
    told = story(hooks=Hooks(request=(lambda going: replace(going, provider="b"),)))
    told.options["providers"] = {"b": other}
    assert ended(told).text == "from b"
    assert (len(told.model.requests), len(other.requests)) == (0, 2)
