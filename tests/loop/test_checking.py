"""A call is checked before it may run, and its refusal fits into the history (SPEC C7, P10)."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from faultloop.loop.checking import Permission, Ready, Refused, denied, read
from faultloop.loop.events import CallNotExecuted, CallStarted
from faultloop.loop.registry import Registry
from faultloop.loop.state import CallRecord
from faultloop.loop.tools.function import tool

from .story import Scripted, Story, call, played, say, toy


def checked(arguments: str, *, budget: int = 16_384) -> Ready | Refused:
    record = CallRecord(call="1/1/0", id="c", name="act", arguments=arguments)
    return read(record, Registry([toy("act", output_budget_bytes=budget)]))


@pytest.mark.parametrize("budget", [300, 1_000, 16_384])
def test_a_rejection_is_within_the_tools_budget_and_still_says_what_to_do(budget: int) -> None:
    refused = checked(json.dumps({"x": 1, "y": "q" * 5_000}), budget=budget)
    assert isinstance(refused, Refused)
    told = refused.signal.content
    assert len(told.encode()) <= budget
    assert budget == 300 or "What to do: Correct what is named" in told


def test_the_reason_of_a_denial_is_clean_and_within_the_budget() -> None:
    ready = checked("{}", budget=300)
    assert isinstance(ready, Ready)
    refused = denied(ready, Permission(granted=False, reason="\udcff" * 1_000))
    assert refused.signal.content.startswith("not executed: permission was denied: \ufffd")
    assert len(refused.signal.content.encode()) <= 300


def test_a_tool_that_was_called_by_an_alias_runs_and_the_model_is_told_its_name() -> None:
    record = CallRecord(call="1/1/0", id="c", name="do", arguments='"{}"')
    ready = read(record, Registry([toy("act", aliases=("do",))]))
    assert isinstance(ready, Ready)
    assert ready.repairs == ("tool_alias:do->act", "unwrap_string")
    assert ready.warning.startswith("do was read as act. The arguments were")


@tool(read_only=True)
def book(when: datetime) -> str:
    """Book a table."""
    return f"booked for {when:%H:%M}"


def test_what_only_the_conversion_can_see_is_refused_before_anybody_is_asked() -> None:
    asked: list[dict[str, Any]] = []

    async def permit(contract: object, args: dict[str, Any]) -> Permission:
        asked.append(args)
        return Permission(granted=True)

    right = {"when": "2026-01-31T09:30:00+01:00"}
    lines = call(("book", '{"when": "tomorrow"}')), call(("book", json.dumps(right))), say("ok")
    told = Story(Scripted(*lines), [book])  # type: ignore[list-item]
    played(told.agent(permit=permit).prompt("go"))
    (refused,) = told.of(CallNotExecuted)
    assert refused.code == "INVALID_ARGS"
    assert "Invalid RFC3339" in refused.result.content
    assert "What to do: Correct what is named" in refused.result.content
    assert asked == [right]
    assert len(told.of(CallStarted)) == 1
    assert told.model.told[-1] == "booked for 09:30"
