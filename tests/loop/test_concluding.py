"""Results that propose to conclude (SPEC L8): by policy, and only where the contract allows it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.loop.story import AT_ONCE, Scripted, Story, Toy, call, played, say, toy

from faultloop.loop.events import CallEnded, StepEnded, StepStarted, TurnEnded, TurnStarted
from faultloop.loop.tools.port import ToolResult


def over(args: dict[str, Any], context: object) -> ToolResult:
    return ToolResult(outcome="ok", content="that is all", concludes=True)


def tools(*, allowed: bool = True) -> list[Toy]:
    return [toy("end", over, concludes=allowed, concurrency_safe=True, read_only=True), toy("act")]


END, ACT = ("end", "{}"), ("act", "{}")


@pytest.mark.parametrize(
    ("policy", "batch", "requests"),
    [
        ("any", [END], 1),
        ("any", [END, ACT], 1),
        ("any", [ACT], 2),
        ("all", [END], 1),
        ("all", [END, END], 1),
        ("all", [END, ACT], 2),
        ("all", [ACT], 2),
    ],
)
def test_a_concluded_batch_owes_the_model_no_revisit(policy, batch, requests) -> None:
    told = Story(Scripted(call(*batch), say("more")), tools(), replace(AT_ONCE, conclude=policy))
    assert played(told.agent().prompt("go")).end_reason == "completed"
    assert len(told.model.requests) == requests
    assert len(told.of(CallEnded)) == len(batch), "siblings are not stopped"


def test_a_tool_whose_contract_does_not_allow_it_cannot_conclude() -> None:
    told = Story(Scripted(call(END), say("more")), tools(allowed=False))
    played(told.agent().prompt("go"))
    assert len(told.model.requests) == 2


@pytest.mark.parametrize("outcome", ["failed", "unknown"])
def test_only_a_result_that_is_known_to_be_good_concludes(outcome: Any) -> None:
    def fails(args: dict[str, Any], context: object) -> ToolResult:
        return ToolResult(outcome=outcome, content="no", concludes=True)

    told = Story(Scripted(call(END), say("I see")), [toy("end", fails, concludes=True)])
    assert played(told.agent().prompt("go")).text == "I see"
    assert [event.concludes for event in told.of(CallEnded)] == [False]


@pytest.mark.parametrize("batch", [[END], [END, ACT]])
def test_a_crash_after_a_result_that_concludes_is_followed_by_no_request(batch: Any) -> None:
    told = Story(Scripted(call(*batch), say("more")), tools())
    played(told.agent().prompt("go"))
    at = max(i for i, event in enumerate(told.events, 1) if isinstance(event, CallEnded))
    after = Story(Scripted(say("asked again")), tools(), store=told.store[:at])

    async def go_on() -> None:
        agent = after.agent()
        await agent.open()
        await agent.resume()

    played(go_on())
    assert len(after.model.requests) == len(batch) - 1, "only where not all of them conclude"


def test_a_batch_without_calls_does_not_conclude_by_being_empty() -> None:
    told = Story(Scripted(say("hello")), tools())
    played(told.agent().prompt("go"))
    assert [event.why for event in told.of(StepEnded)] == ["done"]


def test_queued_input_is_not_dropped_by_a_result_that_concludes() -> None:
    async def steers(args: dict[str, Any], context: object) -> ToolResult:
        await agent.steer("and one more thing")
        await agent.follow_up("later")
        return over(args, context)

    told = Story(
        Scripted(call(END), say("that too"), say("later")), [toy("end", steers, concludes=True)]
    )
    agent = told.agent()
    assert played(agent.prompt("go")).text == "later"
    assert [event.why for event in told.of(StepEnded)] == ["input_waiting", "done", "done"]
    assert [event.cause for event in told.of(StepStarted)] == ["input", "steer", "follow_up"]
    assert len(told.of(TurnStarted)) == len(told.of(TurnEnded)) == 2
