"""Goals: what is durable, what is in the process only, and when a round begins (SPEC G1 to G3)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, get_args

import pytest
from tests.loop.story import Scripted, Story, call, say

from faultloop.fakes import clock
from faultloop.loop.engine import Agent, Busy, TurnEnd
from faultloop.loop.events import (
    AnyEvent,
    EndReason,
    GoalMoved,
    GoalPhase,
    GoalRound,
    InputClaimed,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.goals import DISARMS, MOVES, Goal, is_due, why_disarmed
from faultloop.loop.providers.port import ProviderFailure
from faultloop.loop.recorder import Recorder
from faultloop.loop.run_events import (
    AnyRunEvent,
    GoalArmed,
    MessageEnded,
    WentIdle,
)
from faultloop.loop.tools.goal import FinishGoal

GOAL = Goal(id="g", number=1, text="all green", rounds_max=2)


def finish(state: str = "complete") -> Any:
    return call(("finish_goal", f'{{"state": "{state}", "reason": "seen"}}'))


def story(*lines: Any) -> Story:
    return Story(Scripted(*lines), [])


async def idle(agent: Agent) -> None:
    await agent.idle()
    assert not agent.running


def agent_of(told: Story) -> Agent:
    """With the tool that ends a goal."""
    agent = told.agent()
    agent.tools = agent.tools.plus(FinishGoal(agent.pursuing))
    return agent


# --- the rule ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "armed", "waits", "due"),
    [
        (GOAL, True, False, True),
        (None, True, False, False),
        (GOAL, False, False, False),
        (GOAL, True, True, False),
        *(
            (replace_phase, True, False, False)
            for replace_phase in ("paused", "blocked", "complete")
        ),
        ("used up", True, False, False),
    ],
)
def test_a_round_is_due_only_if_everything_allows_it(goal, armed, waits, due) -> None:
    if goal == "used up":
        goal = Goal(id="g", number=1, text="t", rounds_max=2, rounds=2)
    elif isinstance(goal, str):
        goal = Goal(id="g", number=1, text="t", rounds_max=2, phase=goal)
    assert is_due(goal, armed=armed, prompt_waits=waits) is due


def test_every_end_but_a_good_one_disarms() -> None:
    assert set(DISARMS) == set(get_args(EndReason)) - {"completed"}
    assert why_disarmed(GOAL, "completed") is None


def test_nothing_leads_out_of_complete() -> None:
    assert set(MOVES) == set(get_args(GoalPhase))
    assert MOVES["complete"] == frozenset()


# --- rounds -----------------------------------------------------------------------------------


def test_a_goal_wakes_the_idle_loop_until_it_is_complete() -> None:
    told = story(say("a start"), say("more"), finish(), say("all done"))

    async def go() -> None:
        agent = agent_of(told)
        await agent.set_goal("all green", rounds_max=5)
        await idle(agent)

    clock.run(go, seed=0)
    assert [event.round for event in told.of(GoalRound)] == [1, 2, 3]
    assert [event.phase for event in told.of(GoalMoved)] == ["complete"]
    causes = [event.cause for event in told.of(StepStarted)]
    assert causes == ["goal", "goal", "goal", "results"]
    assert {event.end_reason for event in told.of(TurnEnded)} == {"completed"}


def test_the_host_is_told_how_the_last_round_ended_though_nobody_prompted() -> None:
    told = story(finish(), say("all done"))
    seen: list[TurnEnd | None] = []

    async def go() -> None:
        agent = agent_of(told)
        seen.append(agent.last_turn)
        await agent.set_goal("all green", rounds_max=5)
        await idle(agent)
        seen.append(agent.last_turn)

    clock.run(go, seed=0)
    before, after = seen
    assert before is None
    assert after is not None
    assert (after.turn, after.end_reason, after.text) == (1, "completed", "all done")


def test_a_round_says_which_it_is_and_rests_on_its_input() -> None:
    told = story(finish(), say("done"))

    async def go() -> None:
        agent = agent_of(told)
        await agent.set_goal("all green", rounds_max=5)
        await idle(agent)

    clock.run(go, seed=0)
    first = told.model.requests[0].messages[0]
    assert "round 1 of at most 5" in first.text
    assert "all green" in first.text
    assert told.of(StepStarted)[0].basis == ("session/goal/1/round/1",)


def test_rounds_are_limited_and_the_goal_stays_active_but_disarmed() -> None:
    told = story(*[say("not yet")] * 9)
    heard: list[AnyRunEvent] = []

    async def go() -> tuple[Goal | None, bool]:
        agent = agent_of(told)
        agent.subscribe(heard.append)
        await agent.set_goal("all green", rounds_max=2)
        await idle(agent)
        return agent.goal, agent.pursuing.armed

    goal, armed = clock.run(go, seed=0)
    assert len(told.model.requests) == 2
    assert goal is not None
    assert (goal.phase, armed) == ("active", False)
    assert [event.why for event in heard if isinstance(event, GoalArmed)] == [
        "",
        "its rounds are used up",
    ]


def test_the_loop_is_idle_between_two_rounds() -> None:
    told = story(say("one"), finish(), say("two"))
    heard: list[str] = []

    async def go() -> None:
        agent = agent_of(told)
        agent.subscribe(lambda event: heard.append(type(event).__name__))
        await agent.set_goal("all green")
        await idle(agent)

    clock.run(go, seed=0)
    around = [kind for kind in heard if kind in ("TurnBegan", "TurnOver", "WentIdle")]
    assert around == ["TurnBegan", "TurnOver", "WentIdle"] * 2


def test_a_prompt_returns_at_the_end_of_its_own_turn_and_the_goal_goes_on() -> None:
    told = story(say("your answer"), say("a round"), finish(), say("over"))

    async def go() -> str:
        agent = agent_of(told)
        await agent.set_goal("all green", armed=False)
        await agent.pursuing.arm()
        end = await agent.prompt("a question")
        await idle(agent)
        return end.text

    # the goal was armed while nothing ran: the prompt still goes first, for a prompt waits
    assert clock.run(go, seed=0) == "your answer"
    assert [event.cause for event in told.of(StepStarted)] == ["input", "goal", "goal", "results"]
    assert [event.round for event in told.of(GoalRound)] == [1, 2]


@pytest.mark.parametrize("seed", range(10))
def test_a_prompt_between_two_rounds_is_taken_and_not_refused_by_chance(seed: int) -> None:
    told = story(say("round 1"), say("answer"), finish(), say("over"))

    async def go() -> str:
        agent = agent_of(told)
        asked: list[asyncio.Task[TurnEnd]] = []

        def listen(event: AnyRunEvent) -> None:
            if isinstance(event, WentIdle) and not asked:
                asked.append(asyncio.ensure_future(agent.prompt("a question")))

        agent.subscribe(listen)
        await agent.set_goal("all green", rounds_max=5)
        await idle(agent)
        (end,) = await asyncio.gather(*asked)
        await idle(agent)
        return end.text

    assert clock.run(go, seed=seed) == "answer"
    assert [event.cause for event in told.of(StepStarted)][:2] != ["goal", "goal"]
    assert [event.end_reason for event in told.of(TurnEnded)] == ["completed"] * 3


def test_a_prompt_in_the_middle_of_a_round_is_refused() -> None:
    told = story(say("round 1"), finish(), say("over"))
    refused: list[Busy] = []

    async def go() -> None:
        agent = agent_of(told)

        async def listen(event: AnyRunEvent) -> None:
            if isinstance(event, MessageEnded):
                try:
                    await agent.prompt("a question")
                except Busy as busy:
                    refused.append(busy)

        agent.subscribe(listen)
        await agent.set_goal("all green")
        await idle(agent)

    clock.run(go, seed=0)
    assert len(refused) == 3


def test_a_round_that_cannot_be_written_is_no_fault_of_the_turn_before() -> None:
    told = story(say("your answer"))

    class Full(Recorder):
        def persist(self, events: Sequence[AnyEvent]) -> None:
            if any(isinstance(event, GoalRound) for event in events):
                raise OSError("no space left")
            super().persist(events)

    class Unlucky(Agent):
        recording = Full

    told.agent_class = Unlucky

    async def go() -> TurnEnd:
        agent = told.agent()
        await agent.set_goal("all green", armed=False)
        await agent.pursuing.arm()
        end = await agent.prompt("a question")
        await idle(agent)
        assert not agent.pursuing.armed
        return end

    end = clock.run(go, seed=0)
    assert (end.end_reason, end.error, end.text) == ("completed", "", "your answer")


def test_a_prompt_that_comes_during_a_round_goes_before_the_next_one() -> None:
    told = story(say("round 1"), say("answer"), finish(), say("over"))

    async def go() -> None:
        agent = agent_of(told)

        async def listen(event: AnyRunEvent) -> None:
            if type(event).__name__ == "MessageEnded" and len(told.of(TurnStarted)) == 1:
                await agent.follow_up("a question")

        agent.subscribe(listen)
        await agent.set_goal("all green")
        await idle(agent)

    clock.run(go, seed=0)
    assert [event.cause for event in told.of(StepStarted)][:3] == ["goal", "follow_up", "goal"]


@pytest.mark.parametrize("when", [TurnStarted, WentIdle])
@pytest.mark.parametrize("seed", range(10))
def test_a_prompt_at_any_moment_is_answered_and_no_round_is_lost(when: type, seed: int) -> None:
    told = story(*[say("so far")] * 9)

    async def go() -> None:
        agent = agent_of(told)
        asked: list[asyncio.Task[str]] = []

        def listen(event: AnyRunEvent) -> None:
            wanted = {TurnStarted: "TurnBegan", WentIdle: "WentIdle"}[when]
            if type(event).__name__ == wanted and not asked:
                asked.append(asyncio.ensure_future(agent.follow_up("a question")))

        agent.subscribe(listen)
        await agent.set_goal("all green", rounds_max=3)
        await idle(agent)
        await asyncio.gather(*asked)
        await idle(agent)

    clock.run(go, seed=seed)
    assert len(told.of(GoalRound)) == 3
    assert len(told.of(InputClaimed)) == 4
    assert len(told.of(TurnStarted)) == len(told.of(TurnEnded)) == 4


# --- what takes the arms away -----------------------------------------------------------------

DOWN = ProviderFailure("rejected", "400")


@pytest.mark.parametrize(
    ("line", "end_reason"),
    [
        ([DOWN], "error"),
        (say("cut", finish="length"), "max_tokens"),
        (say("no", finish="content_filter"), "blocked"),
    ],
)
def test_a_turn_that_goes_wrong_disarms(line: Any, end_reason: str) -> None:
    told = story(line, say("never asked"))

    async def go() -> bool:
        agent = agent_of(told)
        await agent.set_goal("all green")
        await idle(agent)
        return agent.pursuing.armed

    assert clock.run(go, seed=0) is False
    assert [event.end_reason for event in told.of(TurnEnded)] == [end_reason]
    assert len(told.model.requests) == 1


def test_a_cancel_disarms() -> None:
    told = story([asyncio.Event()], say("never asked"))

    async def go() -> bool:
        agent = agent_of(told)
        agent.subscribe(lambda event: told.of(StepStarted) and agent.cancel() and None)
        await agent.set_goal("all green")
        await idle(agent)
        return agent.pursuing.armed

    told.model.lines[0] = say("stopped before this is whole")
    assert clock.run(go, seed=0) is False
    assert [event.end_reason for event in told.of(TurnEnded)] == ["aborted"]


def test_a_round_that_cannot_be_written_disarms_and_is_not_tried_again() -> None:
    told = story(say("never asked"))

    async def go() -> tuple[bool, int]:
        agent = agent_of(told)
        await agent.set_goal("all green", armed=False)
        tries: list[int] = []

        def full(*events: object) -> None:
            tries.append(1)
            raise OSError("no space left")

        agent.recorder.persist = full  # type: ignore[method-assign]
        await agent.arm_goal()
        await idle(agent)
        return agent.pursuing.armed, len(tries)

    assert clock.run(go, seed=0) == (False, 1)
    assert told.model.requests == []


def test_closing_disarms() -> None:
    told = story(*[say("more")] * 99)
    closing: list[asyncio.Task[None]] = []

    async def go() -> None:
        agent = agent_of(told)

        async def listen(event: AnyRunEvent) -> None:
            if isinstance(event, MessageEnded) and len(told.of(TurnStarted)) == 2:
                closing.append(asyncio.ensure_future(agent.close()))

        agent.subscribe(listen)
        await agent.set_goal("all green", rounds_max=90)
        await idle(agent)
        await asyncio.gather(*closing)
        assert not agent.running
        assert not agent.pursuing.armed

    clock.run(go, seed=0)
    assert len(told.of(TurnStarted)) == len(told.of(TurnEnded)) == 2
