"""Goals: what the journal has, who may change it, and in which order (SPEC G1 to G3)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from faultloop.fakes import clock
from faultloop.loop.engine import BadInput
from faultloop.loop.events import GoalMoved, InputClaimed, InputDiscarded, TurnEnded, TurnStarted
from faultloop.loop.goals import Goal
from faultloop.loop.pursuing import GoalRefused
from faultloop.loop.run_events import AnyRunEvent, GoalArmed, MessageEnded
from faultloop.loop.signals import GoalGiven

from .story import call, say, toy
from .test_goals import DOWN, agent_of, finish, idle, story


def test_after_a_restart_an_active_goal_is_disarmed() -> None:
    told, later = story(*[say("so far")] * 3), story(say("never asked"))

    async def before() -> bool:
        agent = agent_of(told)
        await agent.set_goal("all green", rounds_max=3)
        was_armed = agent.pursuing.armed
        await idle(agent)
        return was_armed

    async def after() -> tuple[Goal | None, bool]:
        agent = agent_of(later)
        await agent.open()
        await agent.resume()
        await idle(agent)
        return agent.goal, agent.pursuing.armed

    assert clock.run(before, seed=0)
    vanished = next(i for i, event in enumerate(told.events, 1) if isinstance(event, TurnEnded))
    later.store = told.store[:vanished]  # between its first round and its second
    goal, armed = clock.run(after, seed=0)
    assert goal is not None
    assert (goal.phase, goal.rounds_left, armed) == ("active", 2, False)
    assert later.model.requests == []


def test_a_round_that_was_queued_when_the_process_vanished_does_not_begin() -> None:
    told = story(say("never asked"))

    async def before() -> None:
        agent = agent_of(told)
        await agent.set_goal("all green", armed=False)
        await agent.pursuing.begin_round()

    async def after() -> None:
        agent = agent_of(told)
        assert await agent.resume() is None

    clock.run(before, seed=0)
    clock.run(after, seed=0)
    assert [event.id for event in told.of(InputDiscarded)] == ["session/goal/1/round/1"]
    assert told.model.requests == []


def test_completing_is_durable_before_the_model_hears_of_it_and_does_not_cut_the_turn() -> None:
    told = story(finish(), say("closing words"))

    async def go() -> None:
        agent = agent_of(told)
        await agent.set_goal("all green")
        await idle(agent)

    clock.run(go, seed=0)
    kinds = told.kinds
    assert kinds.index("CallStarted") < kinds.index("GoalMoved") < kinds.index("CallEnded")
    assert told.of(TurnEnded)[0].end_reason == "completed"
    assert len(told.model.requests) == 2


def test_a_closing_message_that_fails_does_not_revive_the_goal() -> None:
    told = story(finish(), [DOWN], say("never asked"))

    async def go() -> Goal | None:
        agent = agent_of(told)
        await agent.set_goal("all green")
        await idle(agent)
        with pytest.raises(GoalRefused):
            await agent.move_goal("active")
        with pytest.raises(GoalRefused):
            await agent.arm_goal()
        return agent.goal

    goal = clock.run(go, seed=0)
    assert goal is not None
    assert goal.phase == "complete"
    assert [event.end_reason for event in told.of(TurnEnded)] == ["error"]
    assert len(told.model.requests) == 2


def test_a_second_goal_is_refused_while_one_is_active_and_changes_nothing() -> None:
    told = story()

    async def go() -> None:
        agent = agent_of(told)
        first = await agent.set_goal("all green", armed=False)
        with pytest.raises(GoalRefused, match="still active"):
            await agent.set_goal("something else")
        assert agent.goal == first
        await agent.move_goal("paused", "later")
        second = await agent.set_goal("something else", armed=False)
        assert (second.number, second.id) == (2, "session/goal/2")

    clock.run(go, seed=0)


def test_a_model_cannot_end_a_goal_that_is_not_there() -> None:
    told = story(finish(), say("oh"))

    async def go() -> None:
        agent = agent_of(told)
        await agent.prompt("go")
        with pytest.raises(GoalRefused, match="has no goal"):
            await agent.move_goal("paused")
        with pytest.raises(GoalRefused, match="has no goal"):
            await agent.arm_goal()

    clock.run(go, seed=0)
    assert told.model.told == ["Not done: the session has no goal.\n[code: GOAL_REFUSED]"]
    assert told.of(GoalMoved) == []


def test_a_goal_is_armed_once_and_keeps_its_arms_when_it_is_taken_up_again() -> None:
    told = story(say("one"))
    armed: list[bool] = []

    async def go() -> None:
        agent = agent_of(told)
        agent.subscribe(
            lambda event: armed.append(event.armed) if isinstance(event, GoalArmed) else None
        )
        prompt = asyncio.ensure_future(agent.prompt("first this"))
        await asyncio.sleep(0)
        await agent.set_goal("all green")  # a turn runs: the round waits for its end
        await agent.arm_goal()
        await agent.move_goal("active")
        await agent.disarm_goal()
        await prompt
        await idle(agent)

    clock.run(go, seed=0)
    assert armed == [True, False]
    assert len(told.of(TurnStarted)) == 1


def test_a_goal_that_is_armed_in_the_middle_of_a_turn_lets_go_first_what_waits() -> None:
    async def body(args: Any, context: Any) -> str:
        await agent.follow_up("first this")
        await agent.arm_goal()
        return "armed"

    told = story(call(("act", "{}")), say("one"), say("two"), finish(), say("three"))
    told.tools = [toy("act", body)]
    agent = agent_of(told)

    async def go() -> None:
        await agent.set_goal("all green", armed=False)
        await agent.prompt("go")
        await idle(agent)

    clock.run(go, seed=0)
    claimed = [event.id for event in told.of(InputClaimed)]
    assert claimed == ["session/input/1", "session/input/2", "session/goal/1/round/1"]


def test_a_caller_that_goes_when_its_own_turn_is_over_takes_no_round_along() -> None:
    told = story(say("one"), finish(), say("two"))
    agent = agent_of(told)

    async def go() -> bool:
        await agent.open()
        await agent.recorder.tell(GoalGiven(prefix="session/goal/", text="go", rounds_max=9))
        turn = asyncio.ensure_future(agent.prompt("go"))
        while agent._driver is None:
            await asyncio.sleep(0)
        its_own = agent._driver
        await agent.pursuing.arm()
        while agent._driver is its_own:
            await asyncio.sleep(0)
        assert not turn.done()
        turn.cancel()
        await idle(agent)
        return turn.cancelled()

    assert clock.run(go, seed=0)
    assert [event.end_reason for event in told.of(TurnEnded)] == ["completed", "completed"]


def test_a_model_ends_only_the_goal_that_its_turn_began_with() -> None:
    told = story(finish(), say("done, I think"))

    async def go() -> Goal | None:
        agent = agent_of(told)

        async def listen(event: AnyRunEvent) -> None:
            if isinstance(event, MessageEnded) and event.message.calls:
                await agent.move_goal("paused")
                await agent.set_goal("another", armed=False)

        agent.subscribe(listen)
        await agent.set_goal("all green")
        await idle(agent)
        return agent.goal

    goal = clock.run(go, seed=0)
    assert goal is not None
    assert (goal.text, goal.phase) == ("another", "active")
    assert "the session has another goal by now" in told.model.told[0]


def test_a_goal_that_could_wake_nobody_is_not_armed() -> None:
    told = story(say("one"))

    async def go() -> bool:
        agent = agent_of(told)
        await agent.set_goal("all green", rounds_max=1)
        await idle(agent)
        with pytest.raises(GoalRefused, match="has used up its 1 rounds"):
            await agent.arm_goal()
        return agent.pursuing.armed

    assert clock.run(go, seed=0) is False


def test_a_goal_without_a_round_is_none() -> None:
    told = story()
    with pytest.raises(GoalRefused, match="would never begin one"):
        clock.run(lambda: told.agent().set_goal("all green", rounds_max=0), seed=0)
    assert told.events == []


def test_a_reason_that_no_journal_could_carry_is_the_hosts_fault() -> None:
    told = story()

    async def go() -> None:
        agent = agent_of(told)
        await agent.set_goal("all green", armed=False)
        with pytest.raises(BadInput, match="half a character"):
            await agent.move_goal("paused", "\ud800")

    clock.run(go, seed=0)
    assert told.of(GoalMoved) == []
