"""What is told of a goal and its turns: whose arms are taken, and how the last turn ended."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from faultloop.fakes import clock
from faultloop.loop.engine import TurnEnd
from faultloop.loop.events import AnyEvent, GoalRound, TurnStarted
from faultloop.loop.run_events import AnyRunEvent, GoalArmed, GoalChanged, MessageEnded, TurnOver

from .story import say
from .test_goals import idle, story


def test_a_subscriber_that_sets_the_next_goal_at_the_end_of_one_keeps_its_arms() -> None:
    told = story(*[say("more")] * 9)

    async def go() -> list[AnyRunEvent]:
        agent, heard = told.agent(), list[AnyRunEvent]()

        async def follows(event: AnyRunEvent) -> None:
            heard.append(event)
            if isinstance(event, GoalChanged) and event.phase == "complete":
                await agent.set_goal("the next one", rounds_max=2)

        agent.subscribe(follows)
        await agent.set_goal("all green", rounds_max=5)
        await agent.move_goal("complete")
        assert agent.pursuing.armed
        await idle(agent)
        assert agent.goal is not None
        assert (agent.goal.text, agent.goal.rounds) == ("the next one", 2)
        return [event for event in heard if isinstance(event, GoalArmed)]

    armed = clock.run(go, seed=0)
    whys = [event.why for event in armed if not event.armed]
    assert whys == ["the goal is complete", "its rounds are used up"]


def test_a_goal_whose_move_could_not_be_written_keeps_its_arms() -> None:
    told = story(say("more"))

    async def go() -> tuple[bool, list[bool]]:
        agent, heard = told.agent(), list[bool]()
        agent.subscribe(
            lambda event: heard.append(event.armed) if isinstance(event, GoalArmed) else None
        )
        await agent.set_goal("all green", rounds_max=1, armed=False)
        await agent.pursuing.arm()
        persist = agent.recorder.persist

        def full(events: Sequence[AnyEvent]) -> None:
            raise OSError("no space left")

        agent.recorder.persist = full  # type: ignore[method-assign]
        with pytest.raises(OSError, match="no space"):
            await agent.move_goal("paused")
        agent.recorder.persist = persist  # type: ignore[method-assign]
        return agent.pursuing.armed, heard

    assert clock.run(go, seed=0) == (True, [True])


def test_the_last_turn_is_the_last_that_ended_while_another_is_open() -> None:
    told, seen = story(say("one"), say("two")), list[int | None]()

    async def go() -> None:
        agent = told.agent()

        def looks(event: AnyRunEvent) -> None:
            if isinstance(event, MessageEnded | TurnOver):
                seen.append(None if agent.last_turn is None else agent.last_turn.turn)

        agent.subscribe(looks)
        await agent.prompt("go")
        await agent.prompt("go on")
        again = told.agent()
        await again.open()
        seen.append(again.last_turn.turn if again.last_turn else None)

    clock.run(go, seed=0)
    assert seen == [None, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("kind", "nth", "turn"),
    [(TurnStarted, 1, 0), (GoalRound, 1, 0), (TurnStarted, 2, 1), (GoalRound, 2, 1)],
)
def test_the_last_turn_is_told_in_error_where_the_next_could_not_be_written(
    kind: type, nth: int, turn: int
) -> None:
    told = story(*[say("more")] * 9)

    async def go() -> TurnEnd | None:
        agent, left = told.agent(), [nth]
        await agent.open()
        persist = agent.recorder.persist

        def full(events: Sequence[AnyEvent]) -> None:
            left[0] -= any(isinstance(event, kind) for event in events)
            if left[0] <= 0:
                raise OSError("no space left")
            persist(events)

        agent.recorder.persist = full  # type: ignore[method-assign]
        await agent.set_goal("all green", rounds_max=3)
        await idle(agent)
        return agent.last_turn

    end = clock.run(go, seed=0)
    assert end is not None
    assert (end.turn, end.end_reason) == (turn, "error")
    assert "no space left" in end.error
