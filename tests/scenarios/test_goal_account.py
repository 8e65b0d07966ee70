"""The account of a goal play: of the last round, of what kept it from beginning, or of none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from random import Random
from typing import Any

import pytest

from faultloop.fakes import clock
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, GoalRound, MessageCommitted, TurnStarted
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.policy import REFERENCE
from faultloop.loop.providers.port import (
    Delta,
    EndDelta,
    FinishDelta,
    ModelRequest,
    TextDelta,
    UsageDelta,
)
from faultloop.scenarios.subjects.reference_parts import Parts, agent_of, live


class Model:
    """Says the same in each round."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        for delta in (TextDelta("more"), FinishDelta("stop", "stop"), UsageDelta(1, 1), EndDelta()):
            yield delta


def agent(kind: type[Agent] = Agent) -> Agent:
    return agent_of(
        kind,
        Parts(
            provider=Model(),
            tools=(),
            journal=MemoryJournal(),
            policy=REFERENCE,
            session="session",
            random=Random(0),
        ),
    )


def account(told: Agent, before: Callable[[], Any] = lambda: None) -> dict[str, Any]:
    async def go() -> dict[str, Any]:
        await told.open()
        before()
        return await live(told, "all green", 3)

    return clock.run(go, seed=0)


def test_it_is_of_the_last_round() -> None:
    fields = account(agent())
    assert (fields["end_reason"], fields["turn"], fields["error"]) == ("completed", 3, None)


@pytest.mark.parametrize(
    ("kind", "nth"),
    [(TurnStarted, 1), (TurnStarted, 2), (GoalRound, 1), (GoalRound, 2), (MessageCommitted, 1)],
)
def test_a_fault_that_the_journal_has_no_end_of_is_told_all_the_same(kind: type, nth: int) -> None:
    told, left = agent(), [nth]
    persist = told.recorder.persist

    def full(events: Sequence[AnyEvent]) -> None:
        left[0] -= any(isinstance(event, kind) for event in events)
        if left[0] <= 0:
            raise OSError("disk full")
        persist(events)

    def breaks() -> None:
        told.recorder.persist = full  # type: ignore[method-assign]

    fields = account(told, breaks)
    assert fields["end_reason"] == "error"
    assert "disk full" in fields["error"]


class Unarmed(Agent):
    """Wakes for no goal."""

    async def arm_goal(self) -> None:
        await asyncio.sleep(0)


@pytest.mark.parametrize("prompted", [False, True])
def test_a_goal_that_no_turn_came_of_is_an_error_and_not_the_turn_before(prompted: bool) -> None:
    told = agent(Unarmed)

    async def go() -> dict[str, Any]:
        if prompted:
            await told.prompt("hello")
        return await live(told, "all green", 3)

    fields = clock.run(go, seed=0)
    assert (fields["end_reason"], fields["turn"]) == ("error", 0)
    assert fields["error"] == "the goal never began a round"
