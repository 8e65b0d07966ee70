"""A cancel at every place of a story: what `cancel` says is what happens, and nothing stays open.

Places are the loop's own landmarks, around each append, and the run events that a consumer hears.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import pytest

from faultloop.loop.engine import Agent, TurnEnd
from faultloop.loop.events import AnyEvent, CancelRequested, InputDiscarded, StepStarted, TurnEnded
from faultloop.loop.evolving import replay
from faultloop.loop.providers.port import ProviderFailure, TextDelta
from faultloop.loop.run_events import (
    AnyRunEvent,
    GoalArmed,
    GoalChanged,
    InputDropped,
    PermissionAnswered,
    PermissionAsked,
    TurnOver,
    WentIdle,
)
from faultloop.loop.signals import LimitHit
from faultloop.loop.view import repaired

from .story import AT_ONCE, Scripted, Story, call, played, say, toy


@dataclass
class At:
    """Landmarks that do something at the nth of them."""

    place: int
    act: Callable[[], None]
    passed: int = 0

    async def reach(self, name: str, events: Sequence[AnyEvent] = ()) -> None:
        self.passed += 1
        if self.passed == self.place:
            self.act()
        await asyncio.sleep(0)  # as a real one: others get a turn


async def slowly(args, context):
    context.progress("half way")
    await asyncio.sleep(0)
    return "done"


def story() -> Story:
    calls = call(("look", '{"x": "1"}'), ("look", '{"x": "2"}'), ("act", "{}"), ("raed", "{}"))
    broken = [TextDelta("half"), ProviderFailure("unavailable", "HTTP 503", status=503)]
    return Story(
        Scripted(calls, broken, say("Done.")),
        [toy("look", slowly, read_only=True, concurrency_safe=True), toy("act", slowly)],
    )


async def cancelled_at(place: int) -> tuple[Story, list[bool], TurnEnd]:
    told, answers = story(), list[bool]()
    box: list[Agent] = []
    agent = told.agent(landmarks=At(place, lambda: answers.append(box[0].cancel())))
    box.append(agent)
    end = await agent.prompt("go")
    await agent.prompt("and now?")
    return told, answers, end


LANDMARKS = 40
"""Of the first turn, its input included. A test says when this is no longer true."""


@pytest.mark.parametrize("place", range(1, LANDMARKS + 1))
def test_a_cancel_at_any_landmark_is_kept_or_refused_and_everything_is_closed(place: int) -> None:
    told, answers, end = played(cancelled_at(place))
    (was_taken,) = answers
    assert end.end_reason == ("aborted" if was_taken else "completed"), end
    assert replay(told.events).phase == "idle"
    assert all(repaired(r.messages) == r.messages for r in told.model.requests)
    assert len(told.of(CancelRequested)) == len([answer for answer in answers if answer])


def test_only_at_the_very_end_is_there_nothing_left_to_stop() -> None:
    answers = [played(cancelled_at(place))[1] for place in range(1, LANDMARKS + 1)]
    assert answers == [[True]] * (LANDMARKS - 2) + [[False]] * 2


ELSEWHERE = (PermissionAsked, PermissionAnswered, InputDropped, GoalChanged, GoalArmed)
"""What this story does not tell."""
TOLD = [kind for kind in get_args(AnyRunEvent) if kind not in ELSEWHERE]
AFTER_THE_END = {TurnOver, WentIdle}


@pytest.mark.parametrize("kind", TOLD, ids=lambda kind: kind.__name__)
def test_a_cancel_in_answer_to_any_event_is_kept_or_refused(kind: type[AnyRunEvent]) -> None:
    told, answers = story(), list[bool]()
    agent = told.agent()

    def listen(event: AnyRunEvent) -> None:
        if isinstance(event, kind) and not answers:
            answers.append(agent.cancel())

    agent.subscribe(listen)
    end = played(agent.prompt("go"))
    late = kind in AFTER_THE_END
    assert answers == [not late]
    assert end.end_reason == ("completed" if late else "aborted"), end
    assert replay(told.events).phase == "idle"


def test_a_limit_just_after_a_step_began_ends_the_turn_under_its_own_name() -> None:
    told = story()
    agent = told.agent()

    def listen(event: AnyRunEvent) -> None:
        if told.of(StepStarted):
            agent._signal.fire(LimitHit(limit="timeout"))

    agent.subscribe(listen)
    assert played(agent.prompt("go")).end_reason == "timeout"


# --- around the end of a turn -----------------------------------------------------------------


async def with_a_follow_up(told: Story, kind: type[AnyRunEvent]) -> list[bool]:
    """A follow-up waits, and the cancel comes when the first turn is over."""
    answers: list[bool] = []
    agent = told.agent()

    async def listen(event: AnyRunEvent) -> None:
        if type(event).__name__ == "MessageEnded" and not told.of(TurnEnded):
            await agent.follow_up("later", input_id="later")
        if isinstance(event, kind) and not answers:
            answers.append(agent.cancel("parent"))

    agent.subscribe(listen)
    await agent.prompt("go")
    assert not agent.running
    return answers


@pytest.mark.parametrize("policy", ["discard", "keep"])
def test_a_cancel_after_a_turns_end_stops_what_waits_behind_it(policy) -> None:
    told = Story(Scripted(say("one"), say("two")), [], replace(AT_ONCE, queue_on_cancel=policy))
    assert played(with_a_follow_up(told, TurnOver)) == [True]
    assert [event.end_reason for event in told.of(TurnEnded)] == ["completed"]
    assert len(told.model.requests) == 1
    (cancel,) = told.of(CancelRequested)
    assert cancel.cause == "parent"
    kept = () if policy == "discard" else ("later",)
    assert cancel.kept == kept
    assert [event.id for event in told.of(InputDiscarded)] == ([] if kept else ["later"])


def test_input_after_a_cancel_between_two_turns_is_a_turn_of_its_own() -> None:
    told = Story(Scripted(say("one"), say("two")), [])

    async def go() -> TurnEnd:
        await with_a_follow_up(told, TurnOver)
        return await told.agent().prompt("else")

    assert played(go()).text == "two"
    assert told.model.notices == []


def test_a_second_cancel_after_an_aborted_turn_stops_what_came_since_the_first() -> None:
    async def body(args, context):
        agent.cancel()
        await agent.follow_up("something else")
        return "done"

    def listen(event: AnyRunEvent) -> None:
        if isinstance(event, TurnOver):
            answers.append(agent.cancel())

    told = Story(Scripted(call(("act", "{}"))), [toy("act", body)])
    agent, answers = told.agent(), list[bool]()
    agent.subscribe(listen)
    played(agent.prompt("go"))
    assert answers == [True]
    assert len(told.model.requests) == 1
