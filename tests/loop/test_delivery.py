"""Run events are heard in one order, by everybody, and whoever hears them can break nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from faultloop.loop.delivery import Delivery
from faultloop.loop.providers.port import TextDelta
from faultloop.loop.run_events import (
    AnyRunEvent,
    MessageDelta,
    MessageEnded,
    ToolEnded,
    ToolProgress,
    ToolStarted,
    WentIdle,
)

from .story import AT_ONCE, Scripted, Story, call, played, say, toy

SAFE = {"read_only": True, "concurrency_safe": True}


def delta(text: str) -> MessageDelta:
    return MessageDelta(attempt="1/1/1", text=text)


def test_events_are_heard_one_at_a_time_in_the_order_in_which_they_were_posted() -> None:
    async def go() -> list[str]:
        delivery, heard = Delivery(), list[str]()

        async def slow(event: AnyRunEvent) -> None:
            heard.append(f"first hears {event.text}")
            await asyncio.sleep(0)
            heard.append(f"first heard {event.text}")

        delivery.subscribe(slow)
        delivery.subscribe(lambda event: heard.append(f"second hears {event.text}"))
        delivery.post(delta("a"), delta("b"))
        await delivery.heard()
        return heard

    assert played(go()) == [
        *("first hears a", "first heard a", "second hears a"),
        *("first hears b", "first heard b", "second hears b"),
    ]


def test_who_waits_waits_for_what_was_posted_so_far_and_no_longer() -> None:
    async def go() -> list[str]:
        delivery, heard = Delivery(), list[str]()

        async def chatty(event: AnyRunEvent) -> None:
            heard.append(event.text)
            delivery.post(delta(event.text + "'"))
            await asyncio.sleep(0)

        leave = delivery.subscribe(chatty)
        delivery.post(delta("a"))
        await delivery.heard()
        leave()
        return heard

    assert played(go())[0] == "a"


def test_a_subscriber_that_waits_for_the_delivery_does_not_wait_for_itself() -> None:
    async def go() -> None:
        delivery = Delivery()

        async def listen(event: AnyRunEvent) -> None:
            await delivery.heard()

        delivery.subscribe(listen)
        delivery.post(delta("a"))
        await delivery.heard()

    played(go())


def test_nobody_waits_for_ever_when_the_teller_is_stopped() -> None:
    async def go() -> None:
        delivery, begun = Delivery(), asyncio.Event()

        async def listen(event: AnyRunEvent) -> None:
            begun.set()
            await asyncio.Event().wait()

        delivery.subscribe(listen)
        delivery.post(delta("a"))
        waiting = asyncio.ensure_future(delivery.heard())
        await begun.wait()
        delivery.post(delta("b"))  # nobody will hear of it
        assert delivery._teller is not None
        delivery._teller.cancel()
        await waiting

    played(go())


@pytest.mark.parametrize(
    "error", [asyncio.CancelledError(), SystemExit(2), KeyboardInterrupt(), ValueError("mine")]
)
@pytest.mark.parametrize("kind", [MessageDelta, MessageEnded, ToolStarted, WentIdle])
def test_what_a_subscriber_raises_stays_its_own(error, kind) -> None:
    heard: list[str] = []

    async def breaks(event: AnyRunEvent) -> None:
        await asyncio.sleep(0)
        if isinstance(event, kind):
            raise error

    async def go():
        agent = story.agent()
        agent.subscribe(breaks)
        agent.subscribe(lambda event: heard.append(type(event).__name__))
        return await agent.prompt("go")

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act")])
    assert played(go()).end_reason == "completed"
    assert heard[-1] == "WentIdle"


def test_a_cancel_in_the_middle_of_a_stream_does_not_cancel_who_listens_to_it() -> None:
    finished: list[str] = []
    listening = asyncio.Event()

    async def listen(event: AnyRunEvent) -> None:
        if isinstance(event, MessageDelta):
            listening.set()
            for _ in range(5):
                await asyncio.sleep(0)
            finished.append(event.text)

    async def go():
        agent = story.agent()
        agent.subscribe(listen)
        agent.subscribe(lambda event: heard.append(type(event).__name__))
        turn = asyncio.ensure_future(agent.prompt("go"))
        await listening.wait()
        agent.cancel()
        return await turn

    heard: list[str] = []
    story = Story(Scripted([TextDelta("half"), asyncio.Event()]), [])
    assert played(go()).end_reason == "aborted"
    assert finished == ["half"]
    assert heard.index("MessageDelta") < heard.index("AttemptFailed")


def test_a_subscriber_may_speak_to_the_loop_from_a_task_of_its_own_and_wait_for_it() -> None:
    async def listen(event: AnyRunEvent) -> None:
        if isinstance(event, MessageEnded) and event.message.text == "one":
            await asyncio.wait_for(agent.steer("wait"), 60)

    async def go():
        agent.subscribe(listen)
        return await agent.prompt("go")

    story = Story(Scripted(say("one"), say("two")), [])
    agent = story.agent()
    assert played(go()).text == "two"


def test_parallel_calls_are_told_of_one_after_the_other() -> None:
    inside, peak = [0], [0]

    async def listen(event: AnyRunEvent) -> None:
        inside[0] += 1
        peak[0] = max(peak[0], inside[0])
        await asyncio.sleep(0)
        inside[0] -= 1

    async def body(args, context):
        context.progress("1")
        await asyncio.sleep(0)
        context.progress("2")
        return "done"

    async def go():
        agent = story.agent()
        agent.subscribe(listen)
        await agent.prompt("go")

    calls = call(("look", '{"x": "1"}'), ("look", '{"x": "2"}'))
    story = Story(Scripted(calls, say("ok")), [toy("look", body, **SAFE)])
    played(go())
    assert peak == [1]


def test_a_call_that_is_closed_says_nothing_more_and_nothing_follows_idle() -> None:
    stray = asyncio.Event()

    async def deaf(args, context):
        context.progress("while it runs")
        while not stray.is_set():
            try:
                await stray.wait()
            except asyncio.CancelledError:
                continue
        context.progress("much later")
        return "done"

    async def go() -> list[AnyRunEvent]:
        agent, heard = story.agent(), list[AnyRunEvent]()
        agent.subscribe(heard.append)
        await agent.prompt("go")
        stray.set()
        await agent.close()
        return heard

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act", deaf)])
    story.policy = replace(AT_ONCE, tool_timeout_s=0.01, stop_grace_s=0.01)
    heard = played(go())
    assert [event.text for event in heard if isinstance(event, ToolProgress)] == ["while it runs"]
    kinds = [type(event) for event in heard]
    assert kinds.index(ToolProgress) < kinds.index(ToolEnded)
    assert kinds[-1] is WentIdle


def test_who_has_left_may_leave_again() -> None:
    heard: list[str] = []

    async def go() -> None:
        delivery = Delivery()
        leave = delivery.subscribe(lambda event: heard.append("first"))
        delivery.subscribe(lambda event: heard.append("second"))
        leave()
        leave()
        delivery.post(delta("a"))
        await delivery.heard()

    played(go())
    assert heard == ["second"]
