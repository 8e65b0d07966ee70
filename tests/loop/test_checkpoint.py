"""The stopping checkpoint: who is asked before a turn ends, and how it goes on (SPEC L7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from faultloop.fakes import clock
from faultloop.loop.engine import Agent
from faultloop.loop.events import InputClaimed, InputQueued, StepStarted, TurnEnded, TurnStarted
from faultloop.loop.evolving import replay
from faultloop.loop.hooks import GoOn, Hooks
from faultloop.loop.message import UserMessage

from .story import say
from .test_hooks import REFUSED, TIMED, both, ended, story


def nags(times: int, how: Callable[[Any], Any]) -> Callable[..., Any]:
    """Wants the turn to go on so many times."""
    left = [times]

    async def hook(turn, say_next):
        if left[0]:
            left[0] -= 1
            return await how(say_next)
        return None

    return hook


async def queues(say_next) -> bool:
    await say_next("are you sure?")
    return True  # is not how one goes on: it would be an answer of the wrong kind


async def only_queues(say_next) -> None:
    await say_next("are you sure?")


async def answers(say_next) -> GoOn:
    return GoOn("are you sure?")


@pytest.mark.parametrize(
    ("policy", "how", "texts"),
    [
        ("queue", only_queues, ["go", "are you sure?"]),
        ("queue", queues, ["go", "are you sure?"]),
        ("queue", answers, ["go"]),
        ("callback", answers, ["go", "are you sure?"]),
    ],
)
def test_a_turn_goes_on_by_its_policy_and_the_journal_says_on_what_basis(
    policy, how, texts
) -> None:
    told = story(
        say("done"), say("yes"), hooks=Hooks(stopping=(nags(1, how),)), continuation=policy
    )
    assert ended(told).end_reason == "completed"
    said = [m.text for m in told.model.requests[-1].messages if isinstance(m, UserMessage)]
    assert said == texts
    assert [event.basis for event in told.of(StepStarted)] == [
        (f"session/input/{n}",) for n in range(1, len(texts) + 1)
    ]
    assert len(told.of(TurnEnded)) == 1


def test_the_queue_is_read_again_after_the_hooks() -> None:
    async def meanwhile(turn, say_next):
        if turn.step == 1:
            await agent.steer("one more thing")

    told = story(say("done"), say("that too"), hooks=Hooks(stopping=(meanwhile,)))
    agent = told.agent()
    assert clock.run(lambda: agent.prompt("go"), seed=0).text == "that too"
    assert len(told.of(TurnStarted)) == 1


def test_a_hook_that_never_has_enough_is_stopped_by_the_budget_and_leaves_nothing_behind() -> None:
    budget = replace(TIMED.budget, steps_max=5)
    told = story(*[say("done")] * 9, hooks=Hooks(stopping=(nags(99, only_queues),)), budget=budget)
    assert ended(told).end_reason == "completed"
    assert len(told.model.requests) == 5
    assert not replay(told.events).inbox.wakes
    assert len(told.of(InputClaimed)) == len(told.of(InputQueued))


def test_the_checkpoint_is_asked_where_a_message_would_let_a_cut_text_go_on() -> None:
    hooks = Hooks(stopping=(nags(1, only_queues),))
    told = story(say("half a sen", "length"), say("tence"), hooks=hooks)
    end = ended(told)
    assert (end.text, end.end_reason) == ("tence", "max_tokens")  # of the turn: it was cut once


@pytest.mark.parametrize("hook", both(lambda turn, say_next: agents[0].cancel() and None))
def test_a_turn_that_is_cancelled_at_its_checkpoint_is_cancelled(hook) -> None:
    told = story(say("done"), hooks=Hooks(stopping=(hook,)))
    agents[:] = [told.agent()]
    assert clock.run(lambda: agents[0].prompt("go"), seed=0).end_reason == "aborted"


agents: list[Agent] = []
"""The one that a hook of the current test cancels."""


def test_the_checkpoint_is_not_asked_where_the_turn_cannot_go_on() -> None:
    asked: list[int] = []
    told = story([REFUSED], hooks=Hooks(stopping=(lambda turn, say_next: asked.append(turn.step),)))
    assert ended(told).end_reason == "error"
    assert asked == []
