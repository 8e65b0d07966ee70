"""The provider fails: attempts that are made again, and what never comes of a failed one."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from faultloop.loop.events import (
    AttemptEnded,
)
from faultloop.loop.providers.port import ProviderFailure, TextDelta

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
