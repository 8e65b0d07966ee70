"""The provider fails: attempts that are made again, and what never comes of a failed one."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from faultloop.loop.budget import Budget
from faultloop.loop.events import (
    AttemptEnded,
)
from faultloop.loop.providers.port import ProviderFailure, TextDelta, UsageDelta

from .story import AT_ONCE, Scripted, Story, call, played, say, toy

BROKEN = ProviderFailure("broken", "the connection was reset")


@pytest.mark.parametrize(
    "line",
    [
        [TextDelta("half a"), BROKEN],
        call(("act", "{}"), finish=None),
        [ProviderFailure("unavailable", "HTTP 500", status=500)],
    ],
)
def test_a_failed_attempt_is_retried_and_leaves_nothing_behind(line) -> None:
    story = Story(Scripted(line, say("Whole.")), [toy("act")])
    end = played(story.agent().prompt("go"))
    assert (end.end_reason, end.text) == ("completed", "Whole.")
    assert story.model.requests[0] == story.model.requests[1]
    assert story.tools[0].runs == []
    assert [event.state for event in story.of(AttemptEnded)] == ["failed", "completed"]
    assert story.model.closed == 2


def test_retries_are_bounded_and_the_turn_ends_in_error() -> None:
    story = Story(Scripted([BROKEN], [BROKEN], [BROKEN], say("too late")), [])
    end = played(story.agent().prompt("go"))
    assert end.end_reason == "error"
    assert "3 attempts" in end.error
    assert len(story.model.requests) == 3


def test_a_rejected_request_is_not_retried() -> None:
    story = Story(Scripted([ProviderFailure("rejected", "HTTP 400", status=400)]), [])
    assert played(story.agent().prompt("go")).end_reason == "error"
    assert len(story.model.requests) == 1


def test_a_failed_request_never_runs_a_tool_again() -> None:
    story = Story(Scripted(call(("act", "{}")), [BROKEN], say("ok")), [toy("act")])
    assert played(story.agent().prompt("go")).end_reason == "completed"
    assert len(story.tools[0].runs) == 1


def test_a_silent_provider_is_given_up() -> None:
    story = Story(Scripted([asyncio.Event()], say("ok")), [], policy=replace(AT_ONCE, stall_s=0.01))
    assert played(story.agent().prompt("go")).text == "ok"
    assert story.model.closed == 2


COSTLY = UsageDelta(1_000, 1_000)


@pytest.mark.parametrize(
    "line",
    [
        [COSTLY, TextDelta("x"), BROKEN],
        [COSTLY, TextDelta("x")],
        [COSTLY, TextDelta("x"), asyncio.Event()],
        [ProviderFailure("broken", "reset", usage=COSTLY)],
    ],
    ids=["reset", "no end", "silence", "the client knows"],
)
def test_what_a_failed_attempt_used_up_is_charged(line) -> None:
    story = Story(Scripted(line, call(("act", "{}")), say("too dear")), [toy("act")])
    story.policy = replace(AT_ONCE, stall_s=0.05, budget=Budget(tokens_max=2_000))
    assert played(story.agent().prompt("go")).end_reason == "token_budget"
    ended = story.of(AttemptEnded)
    assert [(one.state, one.input_tokens) for one in ended[:2]] == [
        ("failed", 1_000),
        ("completed", 10),
    ]


def test_a_token_limit_holds_also_where_the_provider_counts_nothing() -> None:
    uncounted = [delta for delta in call(("act", "{}")) if not isinstance(delta, UsageDelta)]
    story = Story(Scripted(*[uncounted] * 9, say("ok")), [toy("act")])
    story.policy = replace(AT_ONCE, budget=Budget(tokens_max=100))
    assert played(story.agent().prompt("go")).end_reason == "token_budget"
    assert all(one.estimated for one in story.of(AttemptEnded) if one.input_tokens)


class Iterating(Scripted):
    """A model whose stream is no generator, and so cannot be closed."""

    def stream(self, request):
        return Line(super().stream(request))


class Line:
    def __init__(self, deltas) -> None:
        self.deltas = deltas

    def __aiter__(self):
        return self

    async def __anext__(self):
        return await anext(self.deltas)


def test_a_stream_that_cannot_be_closed_is_listened_to_all_the_same() -> None:
    story = Story(Iterating(call(("act", "{}")), say("ok")), [toy("act")])
    assert played(story.agent().prompt("go")).text == "ok"
    assert len(story.tools[0].runs) == 1
