"""Cancelling: what stops, what is waited for, and what the next turn is told."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from faultloop.loop.events import (
    AttemptEnded,
    CallEnded,
    CallNotExecuted,
    InputDiscarded,
    TurnEnded,
)
from faultloop.loop.providers.port import ProviderFailure, TextDelta

from .story import AT_ONCE, Scripted, Story, call, played, say, toy


def test_a_cancel_in_the_middle_of_a_stream_keeps_nothing_of_it() -> None:
    started, never = asyncio.Event(), asyncio.Event()
    model = Scripted([TextDelta("half"), never], say("Carrying on."))
    story = Story(model, [])

    async def go():
        agent = story.agent()
        agent.subscribe(lambda event: started.set() if "Delta" in type(event).__name__ else None)
        turn = asyncio.ensure_future(agent.prompt("go"))
        await started.wait()
        assert agent.cancel()
        assert agent.cancel("parent")  # the first cause wins
        first = await turn
        return first, await agent.prompt("and now?")

    first, second = played(go())
    assert (first.end_reason, first.text) == ("aborted", "")
    assert second.end_reason == "completed"
    assert next(event.state for event in story.of(AttemptEnded)) == "interrupted"
    assert model.closed == 2
    assert "interrupted by the user at step 1" in model.notices[0]


def test_a_cancel_among_calls_closes_all_of_them_truthfully() -> None:
    running, finish = asyncio.Event(), asyncio.Event()

    async def deaf(args, context):
        await running.wait()
        agent.cancel()
        await finish.wait()
        return "really done"

    async def willing(args, context):
        running.set()
        await asyncio.Event().wait()

    story = Story(
        Scripted(call(("willing", "{}"), ("deaf", "{}"), ("act", "{}")), say("ok")),
        [toy("willing", willing, concurrency_safe=True, cancellable=True)],
    )
    story.tools += [toy("deaf", deaf, concurrency_safe=True), toy("act")]
    agent = story.agent()

    async def go():
        turn = asyncio.ensure_future(agent.prompt("go"))
        while not story.of(CallNotExecuted):
            await asyncio.sleep(0)
        assert not turn.done()  # what cannot be stopped is waited for
        finish.set()
        first = await turn
        await agent.prompt("and now?")
        return first

    assert played(go()).end_reason == "aborted"
    outcomes = {event.call: event.outcome for event in story.of(CallEnded)}
    assert outcomes == {"1/1/0": "unknown", "1/1/1": "ok"}
    assert story.tools[2].runs == []
    assert story.model.told[1:] == ["really done", "not executed: interrupted by user"]
    assert len(story.model.requests) == 2


def test_a_cancel_reaches_the_wait_before_a_retry() -> None:
    model = Scripted([ProviderFailure("rate_limited", "HTTP 429", retry_after_s=60)])
    story = Story(model, [])

    async def go():
        agent = story.agent()
        turn = asyncio.ensure_future(agent.prompt("go"))
        while len(story.of(AttemptEnded)) < 1:
            await asyncio.sleep(0)
        agent.cancel()
        return await turn

    assert played(go()).end_reason == "aborted"
    assert len(model.requests) == 1


def test_a_caller_that_goes_away_takes_its_turn_along() -> None:
    story = Story(Scripted([asyncio.Event()]), [])

    async def go():
        agent = story.agent()
        turn = asyncio.ensure_future(agent.prompt("go"))
        while not story.model.requests:
            await asyncio.sleep(0)
        turn.cancel()
        await asyncio.wait([turn])
        assert turn.cancelled()
        assert not agent.running

    played(go())
    assert story.of(TurnEnded)[0].end_reason == "aborted"


@pytest.mark.parametrize("policy", ["discard", "keep"])
def test_what_was_queued_at_a_cancel_is_dropped_or_waits_for_the_next_prompt(policy) -> None:
    async def body(args, context):
        await agent.follow_up("and then")
        agent.cancel()
        return "done"

    story = Story(Scripted(call(("act", "{}"))), [toy("act", body)])
    story.policy = replace(AT_ONCE, queue_on_cancel=policy)
    agent = story.agent()
    assert played(agent.prompt("go")).end_reason == "aborted"
    assert len(story.model.requests) == 1
    assert len(story.of(InputDiscarded)) == (1 if policy == "discard" else 0)


def test_input_after_the_cancel_belongs_to_the_next_turn() -> None:
    async def body(args, context):
        agent.cancel()
        await agent.follow_up("something else")
        return "done"

    story = Story(Scripted(call(("act", "{}")), say("Else.")), [toy("act", body)])
    agent = story.agent()
    assert played(agent.prompt("go")).text == "Else."
    assert [event.end_reason for event in story.of(TurnEnded)] == ["aborted", "completed"]
