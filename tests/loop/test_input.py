"""Input from several sides at once: nothing is lost, nothing is taken twice, interrupts stop."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from faultloop.loop.engine import AlreadyTaken, Busy
from faultloop.loop.events import CancelRequested, InputQueued, StepStarted, TurnEnded
from faultloop.loop.message import UserMessage

from .story import AT_ONCE, Scripted, Story, call, played, say, toy


class Yielding:
    """Landmarks at which others get a turn, as with any real journal."""

    async def reach(self, name, events=()) -> None:
        await asyncio.sleep(0)


def said(story: Story) -> list[str]:
    """What the user said, as the model has it in its last request."""
    return [m.text for m in story.model.requests[-1].messages if isinstance(m, UserMessage)]


# --- at once ----------------------------------------------------------------------------------


def test_input_that_comes_at_once_gets_ids_of_its_own_and_all_of_it_is_heard() -> None:
    async def go():
        agent = story.agent(landmarks=Yielding())
        ids = await asyncio.gather(
            agent.steer("one"), agent.steer("two"), agent.follow_up("three"), agent.steer("four")
        )
        await agent.idle()
        return ids

    story = Story(Scripted(say("ok")), [])
    assert len(set(played(go()))) == 4
    assert said(story) == ["one", "two", "three", "four"]


def test_an_id_that_a_host_chose_is_not_given_to_anybody_else() -> None:
    async def go():
        agent = story.agent()
        await agent.prompt("a", input_id="session/input/2")
        return await agent.prompt("b")

    story = Story(Scripted(say("one"), say("two")), [])
    assert played(go()).text == "two"
    assert [event.id for event in story.of(InputQueued)] == ["session/input/2", "session/input/3"]


def test_a_prompt_under_an_id_that_was_taken_is_refused_and_starts_nothing() -> None:
    async def go():
        agent = story.agent()
        await agent.prompt("a", input_id="i")
        with pytest.raises(AlreadyTaken, match="has taken an input 'i' before"):
            await agent.prompt("b", input_id="i")
        assert not agent.running

    story = Story(Scripted(say("one"), say("two")), [])
    played(go())
    assert len(story.model.requests) == 1


def test_of_two_prompts_at_once_the_second_is_refused_or_queued_by_policy() -> None:
    async def both(story):
        agent = story.agent(landmarks=Yielding())
        return await asyncio.gather(agent.prompt("a"), agent.prompt("b"), return_exceptions=True)

    story = Story(Scripted(say("one"), say("two")), [])
    first, second = played(both(story))
    assert first.text == "one"
    assert isinstance(second, Busy)
    story = Story(Scripted(say("one"), say("two")), [], replace(AT_ONCE, second_prompt="queue"))
    assert [end.text for end in played(both(story))] == ["two", "two"]
    assert len(story.of(TurnEnded)) == 2


def test_a_prompt_may_come_while_the_session_is_being_opened() -> None:
    async def go():
        agent = story.agent()
        _, end = await asyncio.gather(agent.open(), agent.prompt("a"))
        return end

    story = Story(Scripted(say("one")), [])
    assert played(go()).text == "one"


@pytest.mark.parametrize(("claims", "steps"), [("all", 2), ("one_at_a_time", 3)])
def test_steering_enters_whole_or_one_at_a_time(claims, steps) -> None:
    async def body(args, context):
        await agent.steer("left")
        await agent.steer("right")
        return "done"

    story = Story(Scripted(call(("act", "{}")), say("one"), say("two")), [toy("act", body)])
    story.policy = replace(AT_ONCE, steering_claims=claims)
    agent = story.agent()
    played(agent.prompt("go"))
    assert len(story.of(StepStarted)) == steps
    assert said(story) == ["go", "left", "right"]


# --- interrupts -------------------------------------------------------------------------------


def test_an_interrupt_stops_the_turn_in_its_senders_name_and_is_recorded() -> None:
    async def body(args, context):
        sent.append(await interrupt())
        sent.append(await interrupt())
        return "done"

    async def interrupt():
        text = "permission withdrawn"
        return await agent.inject(text, source="system", lane="interrupt", input_id="i1")

    async def go():
        first = await agent.prompt("go")
        await agent.prompt("and now?")
        return first

    sent: list[str] = []
    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act", body)])
    agent = story.agent()
    assert played(go()).end_reason == "aborted"
    (cancelled,) = story.of(CancelRequested)
    assert (cancelled.cause, cancelled.reason) == ("parent", "permission withdrawn")
    assert sent == ["i1", "i1"]
    assert [e.id for e in story.of(InputQueued) if e.lane == "interrupt"] == ["i1"]
    assert said(story) == ["go", "permission withdrawn", "and now?"]


def test_an_interrupt_that_was_taken_before_stops_nothing_again() -> None:
    async def body(args, context):
        await agent.inject("stop", source="user", lane="interrupt", input_id="i1")
        return "done"

    async def go():
        await agent.inject("stop", source="user", lane="interrupt", input_id="i1")
        return await agent.prompt("go")

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act", body)])
    agent = story.agent()
    assert played(go()).end_reason == "completed"


def test_an_interrupt_of_an_idle_loop_waits_for_its_next_turn_and_stops_nothing() -> None:
    async def go():
        agent = story.agent()
        taken = await agent.inject("permission withdrawn", source="system", lane="interrupt")
        assert not agent.running
        assert taken == "session/input/1"
        return await agent.prompt("go")

    story = Story(Scripted(say("ok")), [])
    assert played(go()).end_reason == "completed"
    assert said(story) == ["permission withdrawn", "go"]
    assert story.of(CancelRequested) == []


def test_a_session_has_a_name_of_its_own() -> None:
    story = Story(Scripted(), [])
    with pytest.raises(ValueError, match="needs a name"):
        story.agent(session="")
    keys = []
    for session in ("one", "two"):
        story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act")])
        played(story.agent(session=session).prompt("go"))
        keys.append(story.tools[0].contexts[0].key)
    assert keys[0] != keys[1]
