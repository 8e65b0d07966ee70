"""A hook that waits: a cancel cuts it, and for its own turn it must not wait at all."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from faultloop.fakes import clock
from faultloop.loop.engine import Agent
from faultloop.loop.events import HookFailed
from faultloop.loop.evolving import replay
from faultloop.loop.hooks import Hooks, Point
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.providers.port import Delta, ModelRequest, ProviderFailure

from .story import Scripted, call, say
from .test_hooks import ended, story
from .test_hooks_that_fail import closed, hangs, lines_for
from .test_hooks_that_stream import streams


@pytest.mark.parametrize("point", [one for one in get_args(Point) if one != "after_tool"])
def test_a_hook_that_waits_is_cut_by_a_cancel_and_nothing_is_held_against_it(point) -> None:
    async def waits(*given: Any) -> None:
        agent.cancel()
        await asyncio.Event().wait()

    told = story(*lines_for(point), hooks=Hooks(**{point: (waits,)}), hook_timeout_s=1e6)
    agent = told.agent()
    assert clock.run(lambda: agent.prompt("go"), seed=0).end_reason == "aborted"
    assert told.of(HookFailed) == []
    assert replay(told.events).phase == "idle"


def test_a_stream_that_waits_is_cut_as_well() -> None:
    told = story(hooks=Hooks(stream=(streams(then=hangs),)), hook_timeout_s=1e6, stall_s=1e6)
    agent = told.agent()

    async def turn() -> str:
        asyncio.get_running_loop().call_later(1, agent.cancel)
        return (await agent.prompt("go")).end_reason

    assert clock.run(turn, seed=0) == "aborted"
    assert told.of(HookFailed) == []
    closed(told)


def test_nobody_asks_a_hook_about_a_failure_once_the_turn_is_cancelled() -> None:
    def fails() -> None:
        agent.cancel()
        raise ProviderFailure("unavailable", "503")

    def asked(*given: Any) -> None:
        raise AssertionError("never asked")

    told = story(hooks=Hooks(stream=(streams(then=fails),), request_error=(asked,)))
    agent = told.agent()
    assert clock.run(lambda: agent.prompt("go"), seed=0).end_reason == "aborted"
    assert told.of(HookFailed) == []


def test_closing_the_session_tells_a_hook_that_was_left_behind_once_more() -> None:
    heard: list[str] = []

    async def hears_the_second_time(*given: Any) -> None:
        with suppress(asyncio.CancelledError):
            await hangs()
        try:
            await hangs()
        except asyncio.CancelledError:
            heard.append("closed")
            raise

    told = story(hooks=Hooks(stopping=(hears_the_second_time,)))
    agent = told.agent()

    async def turn() -> None:
        await agent.prompt("go")
        assert heard == []
        await agent.close()

    clock.run(turn, seed=0)
    assert heard == ["closed"]


@pytest.mark.filterwarnings("error")
def test_behind_a_hook_that_cancels_no_other_is_asked() -> None:
    async def next_one(*given: Any) -> None:
        raise AssertionError("never asked")

    def stops(*given: Any) -> None:
        agent.cancel()

    told = story(hooks=Hooks(before_tool=(stops, next_one)))
    agent = told.agent()
    assert clock.run(lambda: agent.prompt("go"), seed=0).end_reason == "aborted"
    assert told.of(HookFailed) == []
    gc.collect()


@pytest.mark.filterwarnings("error")
def test_a_hook_that_cancels_before_it_waits_leaves_no_coroutine_behind() -> None:
    async def never_begun() -> None:
        raise AssertionError("never begun")

    def stops(*given: Any) -> Any:
        agent.cancel()
        return never_begun()

    told = story(hooks=Hooks(before_tool=(stops,)))
    agent = told.agent()
    assert clock.run(lambda: agent.prompt("go"), seed=0).end_reason == "aborted"
    gc.collect()


WAITING: dict[str, Callable[[Agent], Any]] = {
    "prompt": lambda agent: agent.prompt("from the hook"),
    "resume": lambda agent: agent.resume(),
    "idle": lambda agent: agent.idle(),
    "close": lambda agent: agent.close(),
}


@pytest.mark.parametrize("what", WAITING)
def test_a_hook_may_not_wait_for_its_own_turn(what) -> None:
    async def waits(contract, result):
        async with asyncio.timeout(1):
            await asyncio.gather(WAITING[what](agent))  # in a task of its own

    told = story(hooks=Hooks(after_tool=(waits,)), second_prompt="queue")
    agent = told.agent()
    assert clock.run(lambda: agent.prompt("go"), seed=0).end_reason == "completed"
    (failed,) = told.of(HookFailed)
    assert f"a hook called `{what}`" in failed.error
    closed(told)


def test_what_a_hook_leaves_running_may_wait_once_the_hook_has_answered() -> None:
    begun: list[asyncio.Task[Any]] = []

    def prompts(contract, result):
        begun.append(asyncio.get_running_loop().create_task(agent.prompt("from the hook")))
        return result

    told = story(hooks=Hooks(after_tool=(prompts,)), second_prompt="queue")
    told.model.lines = [call(("act", "{}")), say("done"), say("that too")]
    agent = told.agent()

    async def both() -> str:
        await agent.prompt("go")
        return (await begun[0]).text

    assert clock.run(both, seed=0) == "that too"


def test_a_hook_may_wait_for_another_agent() -> None:
    async def asks(contract, result):
        return replace(result, content=(await other.prompt("what do you make of it?")).text)

    told = story(hooks=Hooks(after_tool=(asks,)))
    other = story(say("nothing"), hooks=Hooks()).agent()
    ended(told)
    assert told.model.told == ["nothing"]


def test_a_session_is_let_go_even_if_whoever_closes_it_does_not_wait() -> None:
    told = story(hooks=Hooks(pre_step=(hangs,)), hook_timeout_s=1e6)
    journal = Closing(told.store)
    agent = told.agent(journal=journal)

    async def closes() -> None:
        turn = asyncio.create_task(agent.prompt("go"))
        await asyncio.sleep(1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await agent.close()
        turn.cancel()
        await asyncio.wait([turn])

    clock.run(closes, seed=0)
    assert journal.closed


class Closing(MemoryJournal):
    """Knows whether it was closed."""

    closed = False

    def close(self) -> None:
        self.closed = True


def test_of_a_request_that_fails_while_it_is_cancelled_no_hook_is_asked() -> None:
    class Cancelling(Scripted):
        async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
            agent.cancel()
            async for delta in super().stream(request):
                yield delta

    async def never(*given: Any) -> None:
        raise AssertionError("never asked")

    told = story(hooks=Hooks(request_error=(never,)))
    told.model = Cancelling([ProviderFailure("unavailable", "503")])
    agent = told.agent()
    assert clock.run(lambda: agent.prompt("go"), seed=0).end_reason == "aborted"
    assert told.of(HookFailed) == []


def test_a_hook_whose_error_cannot_say_what_it_is_fails_all_the_same() -> None:
    class Unspeakable(Exception):
        def __repr__(self) -> str:
            raise RuntimeError("not even this")

    def raises(*given: Any) -> Any:
        raise Unspeakable

    told = story(hooks=Hooks(after_tool=(raises,)))
    ended(told)
    assert "it raised a Unspeakable, whose text cannot be had" in told.of(HookFailed)[0].error
