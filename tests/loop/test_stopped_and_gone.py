"""A stop and a crash in one story: what had been stopped is not gone on with, and a stop that comes
while the next process recovers reaches that process, too."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from faultloop.loop.engine import TurnEnd
from faultloop.loop.events import (
    AnyEvent,
    CallEnded,
    CancelRequested,
    InputClaimed,
    InputDiscarded,
    InputQueued,
    LimitReached,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.recovery import is_resumable

from .story import Scripted, Story, call, played, say, toy


async def hang(args: dict[str, Any], context: Any) -> str:
    await asyncio.Event().wait()
    return "never"


async def vanish_in_a_call(story: Story, *, cancelled: bool) -> None:
    """The first process: gone while its call runs, or while it winds down after a cancel."""
    agent = story.agent()
    turn = asyncio.ensure_future(agent.prompt("go"))
    while not story.tools[0].runs:
        await asyncio.sleep(0)
    while cancelled and not story.of(CancelRequested):
        agent.cancel()
        await asyncio.sleep(0)
    assert agent._driver is not None
    agent._driver.cancel()
    await asyncio.wait([turn])


def test_a_turn_that_was_cancelled_before_the_crash_is_not_gone_on_with() -> None:
    async def go() -> TurnEnd:
        await vanish_in_a_call(story, cancelled=True)
        agent = story.agent()
        assert await agent.open() == ("interrupted",)
        assert await agent.resume() is None
        return await agent.prompt("and now?")

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act", hang)])
    assert played(go()).end_reason == "completed"
    (notice,) = story.model.notices
    assert notice.startswith("The previous turn was interrupted by the user at step 1")
    assert "the process that ran it ended as well" in notice


def test_input_that_came_after_the_cancel_is_gone_on_with() -> None:
    async def go() -> TurnEnd | None:
        await vanish_in_a_call(story, cancelled=True)
        queued = InputQueued(id="next", lane="next_turn", source="user", text="else")
        story.agent().recorder.journal.append(queued)
        return await story.agent().resume()

    story = Story(Scripted(call(("act", "{}")), say("Else.")), [toy("act", hang)])
    end = played(go())
    assert end is not None
    assert end.text == "Else."
    assert [event.cause for event in story.of(StepStarted)] == ["input", "follow_up"]


STOPS: dict[str, tuple[tuple[AnyEvent, ...], bool]] = {
    "nothing": ((), True),
    "a cancel": ((CancelRequested(turn=1, cause="user"),), False),
    "a limit": ((LimitReached(turn=1, limit="timeout"),), False),
    "an interrupt that was still to be answered": (
        (InputQueued(id="i", lane="interrupt", source="user", text="stop", wakes=False),),
        False,
    ),
}


@pytest.mark.parametrize(("stop", "resumable"), STOPS.values(), ids=STOPS.keys())
def test_only_a_turn_that_nobody_had_stopped_is_resumable(stop, resumable) -> None:
    async def go() -> bool:
        agent = story.agent()
        agent.recorder.journal.append(
            InputQueued(id="q", lane="next_turn", source="user", text="go"),
            TurnStarted(turn=1),
            InputClaimed(turn=1, id="q"),
            StepStarted(turn=1, step=1, cause="input"),
            *stop,
        )
        await agent.open()
        return is_resumable(agent.state)

    story = Story(Scripted(), [])
    assert played(go()) is resumable


def test_a_cancel_reaches_the_query_that_recovery_makes_and_what_waits_for_it() -> None:
    asking = asyncio.Event()

    async def ask(args: dict[str, Any], context: Any) -> str:
        asking.set()
        return await hang(args, context)

    async def go() -> TurnEnd:
        await vanish_in_a_call(story, cancelled=False)
        agent = story.agent()
        turn = asyncio.ensure_future(agent.prompt("and now?", input_id="now"))
        await asking.wait()
        assert agent.running
        assert agent.cancel()
        end = await turn
        assert not agent.running
        return end

    pay = toy("pay", hang, verify_with="find", cancellable=True)
    find = toy("find", ask, read_only=True, cancellable=True)
    story = Story(Scripted(call(("pay", "{}"))), [pay, find])
    assert played(go()).end_reason == "aborted"
    assert [event.end_reason for event in story.of(TurnEnded)] == ["interrupted", "aborted"]
    assert [event.id for event in story.of(InputDiscarded)] == ["now"]
    assert [event.outcome for event in story.of(CallEnded)] == ["unknown"]
    assert len(story.model.requests) == 1


def test_a_cancel_while_a_session_is_opened_is_no_cancel_of_a_later_prompt() -> None:
    asking = asyncio.Event()

    async def ask(args: dict[str, Any], context: Any) -> str:
        asking.set()
        return await hang(args, context)

    async def go() -> TurnEnd:
        await vanish_in_a_call(story, cancelled=False)
        agent = story.agent()
        opening = asyncio.ensure_future(agent.open())
        await asking.wait()
        assert agent.cancel()
        assert await opening == ("interrupted",)
        assert not agent.cancel()
        return await agent.prompt("and now?")

    pay = toy("pay", hang, verify_with="find", cancellable=True)
    find = toy("find", ask, read_only=True, cancellable=True)
    story = Story(Scripted(call(("pay", "{}")), say("ok")), [pay, find])
    assert played(go()).text == "ok"


def test_after_a_cancel_recovery_asks_nothing_further() -> None:
    async def cancels(args: dict[str, Any], context: Any) -> str:
        agent.cancel()
        return "nothing was paid"

    async def go() -> None:
        await vanish_in_a_call(story, cancelled=False)
        await agent.open()

    pay = toy("pay", hang, verify_with="find", concurrency_safe=True)
    find = toy("find", cancels, read_only=True)
    story = Story(Scripted(call(("pay", "{}"), ("pay", "{}"))), [pay, find])
    agent = story.agent()
    played(go())
    assert (len(pay.runs), len(find.runs)) == (2, 1)
    told = [event.result.content for event in story.of(CallEnded)]
    assert ["nothing was paid" in text for text in told] == [True, False]
