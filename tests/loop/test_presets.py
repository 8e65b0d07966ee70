"""What each knob of the presets does, at the place where a loop of that kind differs."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import fields, replace
from typing import Any, get_args

import pytest
from tests.loop.story import AT_ONCE, Scripted, Story, call, played, say, toy

from faultloop.loop.budget import Budget
from faultloop.loop.complaint import Wording
from faultloop.loop.events import CallEnded, CallNotExecuted, MessageCommitted, StepEnded
from faultloop.loop.message import ResultMessage
from faultloop.loop.policy import REFERENCE, Policy
from faultloop.loop.presets import PRESETS, PresetName
from faultloop.loop.repairs import REPAIRS, Rules
from faultloop.loop.tools.port import ToolResult


def policy_of(name: PresetName) -> Policy:
    """The preset's, without its waits."""
    waits = {"request_backoff": AT_ONCE.request_backoff, "tool_backoff": AT_ONCE.tool_backoff}
    return replace(PRESETS[name].policy, **waits)  # type: ignore[arg-type]


def story(policy: Policy, *lines: Any, tools: list[Any] | None = None) -> Story:
    return Story(Scripted(*lines), [toy("act")] if tools is None else tools, policy)


NO_REPAIRS: frozenset[str] = frozenset()

TABLE: dict[PresetName, dict[str, Any]] = {
    "reference": {},
    "dsh": {
        "truncation": "drop",  # P1
        "strict": "off",  # C11
        "arguments": Rules(repairs=NO_REPAIRS, complaints="coded"),  # P4, P7
        "conclude": "any",  # L8
        "second_prompt": "queue",  # L14
    },
    "pi": {
        "truncation_answers_max": sys.maxsize,  # P1
        "strict": None,  # C11
        "arguments": Rules(repairs=NO_REPAIRS, complaints="failed"),  # P4, P7
        "whole_batch": "one_sequential_serialises",  # S6
        "continuation": "callback",  # L7
        "prompt_and_tools": "run",  # L15
    },
    "codex": {
        "truncation": "end",  # P1
        "strict": "off",  # C11
        "arguments": Rules(repairs=NO_REPAIRS, complaints="parsing"),  # P4, P7
        "starts": "each_item",  # L4
    },
    "grok": {
        "truncation": "fail",  # P1
        "strict": "off",  # C11
    },
    "mx_claw": {
        "arguments": Rules(repairs=NO_REPAIRS, complaints="prefixed"),  # P4, P7
        "whole_batch": "all_read_only",  # S6
        "prompt_and_tools": "frozen",  # L15
        "budget": Budget(steps_max=8),  # L2
        "steps_used_up": "error",  # L2
        "repeat_guard": True,  # S7
    },
}
"""SPEC's table, its columns and lines: what each describes otherwise than the reference."""


@pytest.mark.parametrize("name", get_args(PresetName))
def test_a_preset_is_its_column_and_in_all_else_the_reference(name: PresetName) -> None:
    assert set(TABLE) == set(PRESETS) == set(get_args(PresetName))
    assert PRESETS[name].describes
    for knob in fields(Policy):
        wanted = TABLE[name].get(knob.name, getattr(REFERENCE, knob.name))
        assert getattr(PRESETS[name].policy, knob.name) == wanted, knob.name


CUT = call(("act", "{}"), finish="length")
TRUNCATION: dict[PresetName, tuple[int, str, int]] = {
    "reference": (2, "max_tokens", 2),
    "dsh": (1, "max_tokens", 0),
    "pi": (5, "completed", 4),
    "codex": (1, "max_tokens", 1),
    "grok": (1, "error", 1),
    "mx_claw": (2, "max_tokens", 2),
}
"""Requests, end, and calls told "not executed" of a model whose replies are cut four times."""


@pytest.mark.parametrize("name", get_args(PresetName))
def test_nobody_runs_what_was_cut_and_each_ends_in_its_own_way(name: PresetName) -> None:
    told = story(policy_of(name), *[CUT] * 4, say("whole"))
    requests, end_reason, told_calls = TRUNCATION[name]
    assert played(told.agent().prompt("go")).end_reason == end_reason
    assert len(told.model.requests) == requests
    assert len(told.of(CallNotExecuted)) == told_calls
    assert told.tools[0].runs == []


def test_dropped_calls_never_enter_the_history() -> None:
    told = story(policy_of("dsh"), call(("act", "{}"), finish="length", text="I will act"))
    played(told.agent().prompt("go"))
    (message,) = told.of(MessageCommitted)
    assert (message.message.text, message.message.calls) == ("I will act", ())


WORDS: dict[Wording, str] = {
    "full": "What to do:",
    "coded": "INVALID_ARGS: x: expected string",
    "parsing": "failed to parse function arguments: x: expected string",
    "failed": "Validation failed for tool act: x: expected string",
    "prefixed": "Tool failed: the arguments of act cannot be used: x: expected string",
}


@pytest.mark.parametrize("wording", get_args(Wording))
def test_a_rejection_is_worded_as_the_policy_has_it(wording: Wording) -> None:
    policy = replace(AT_ONCE, arguments=Rules(complaints=wording))
    told = story(policy, call(("act", '{"x": 7}')), say("ok"))
    played(told.agent().prompt("go"))
    assert WORDS[wording] in told.model.told[0]


@pytest.mark.parametrize("rule", ["unwrap_string", "empty_object"])
def test_a_repair_that_the_rules_leave_out_is_not_made(rule: str) -> None:
    text = {"unwrap_string": '"{}"', "empty_object": ""}[rule]
    outcomes = []
    for repairs in (frozenset(REPAIRS), frozenset(REPAIRS) - {rule}):
        policy = replace(AT_ONCE, arguments=Rules(repairs=repairs))
        told = story(policy, call(("look", text)), say("ok"), tools=[toy("look", read_only=True)])
        played(told.agent().prompt("go"))
        outcomes.append(len(told.tools[0].runs))
    assert outcomes == [1, 0]


@pytest.mark.parametrize("name", get_args(PresetName))
def test_a_request_asks_for_what_the_preset_says_about_strict(name: PresetName) -> None:
    told = story(policy_of(name), say("ok"))
    played(told.agent().prompt("go"))
    assert [request.strict for request in told.model.requests] == [PRESETS[name].policy.strict]


@pytest.mark.parametrize("name", get_args(PresetName))
def test_no_preset_refuses_the_nulls_of_a_strict_form(name: PresetName) -> None:
    strict = toy("look", read_only=True, strict="preferred")
    told = story(policy_of(name), call(("look", '{"x": null}')), say("ok"), tools=[strict])
    played(told.agent().prompt("go"))
    assert strict.runs == [{}]


def racing() -> tuple[list[Any], Any]:
    """Two reads, of which the second ends first."""
    first_may_end = asyncio.Event()

    async def slow(args: Any, context: Any) -> str:
        await first_may_end.wait()
        return "slow"

    def quick(args: Any, context: Any) -> str:
        first_may_end.set()
        return "quick"

    safe = {"read_only": True, "concurrency_safe": True, "cancellable": True}
    return [toy("slow", slow, **safe), toy("quick", quick, **safe)], call(
        ("slow", "{}"), ("quick", "{}"), ("nobody", "{}")
    )


@pytest.mark.parametrize(
    ("order", "contents"),
    [("model", ["slow", "quick"]), ("completion", ["quick", "slow"])],
)
def test_results_enter_in_the_order_of_the_policy(order: Any, contents: list[str]) -> None:
    tools, batch = racing()
    told = story(replace(AT_ONCE, result_order=order), batch, say("ok"), tools=tools)
    agent = told.agent()
    played(agent.prompt("go"))
    results = [m for m in told.model.requests[-1].messages if isinstance(m, ResultMessage)]
    assert [m.content for m in results if m.ok] == contents
    assert [event.result.content for event in told.of(CallEnded)] == ["quick", "slow"]
    assert bool(told.of(StepEnded)[0].order) == (order == "completion")
    assert len(results) == 3


def test_a_call_that_is_refused_late_enters_late() -> None:
    fails = toy("first", lambda args, context: ToolResult(outcome="failed", content="no"))
    tools = [fails, toy("second", depends_on=("first",))]
    policy = replace(AT_ONCE, result_order="completion")
    told = story(policy, call(("second", "{}"), ("first", "{}"), ("second", "{}")), tools=tools)
    played(told.agent().prompt("go"))
    closed = [event.call for event in told.events if isinstance(event, CallEnded | CallNotExecuted)]
    results = [m for m in told.model.requests[-1].messages if isinstance(m, ResultMessage)]
    assert [m.call_id for m in results] == [f"c{call[-1]}" for call in closed]
    assert results[-1].content.startswith("not executed: dependency failed")


def test_the_repeat_guard_points_to_the_earlier_result() -> None:
    policy = replace(AT_ONCE, repeat_guard=True)
    again = call(("act", '{"x": "1"}'))
    told = story(policy, again, again, call(("act", '{"x": "2"}')), say("ok"))
    played(told.agent().prompt("go"))
    assert [run["x"] for run in told.tools[0].runs] == ["1", "2"]
    (refused,) = told.of(CallNotExecuted)
    assert refused.code == "REPEATED"
    assert "under call c0" in refused.result.content


def test_the_repeat_guard_sees_a_repeat_within_one_batch() -> None:
    policy = replace(AT_ONCE, repeat_guard=True)
    calls = ("act", '{"x": "1"}'), ("act", '{"x": "2"}'), ("act", '{"x":"1"}')
    told = story(policy, call(*calls), say("ok"))
    played(told.agent().prompt("go"))
    assert told.tools[0].runs == [{"x": "1"}, {"x": "2"}]
    assert [event.code for event in told.of(CallNotExecuted)] == ["REPEATED"]


def test_a_new_turn_may_repeat() -> None:
    policy = replace(AT_ONCE, repeat_guard=True)
    again = call(("act", '{"x": "1"}'))
    told = story(policy, again, say("ok"), again, say("ok"))

    async def go() -> None:
        agent = told.agent()
        await agent.prompt("go")
        await agent.prompt("once more")

    played(go())
    assert len(told.tools[0].runs) == 2


def test_used_up_steps_may_be_an_explicit_error() -> None:
    policy = replace(AT_ONCE, budget=Budget(steps_max=2), steps_used_up="error")
    told = story(policy, *[call(("act", "{}"))] * 9)
    end = played(told.agent().prompt("go"))
    assert (end.end_reason, end.error) == ("error", "the turn's steps are used up")
    assert len(told.model.requests) == 2


@pytest.mark.parametrize(
    ("kept", "tools", "prompts"),
    [
        ("assembled", [("act", "more"), ("act", "more")], ["new", "new"]),
        ("run", [("act",), ("act", "more")], ["new", "new"]),
        ("frozen", [("act",), ("act", "more")], ["old", "old"]),
    ],
)
def test_what_may_change_between_requests(kept: Any, tools: Any, prompts: Any) -> None:
    def changes(args: Any, context: Any) -> str:
        agent.tools = [*told.tools, toy("more")]
        agent.offer.system = "new"
        return "changed"

    told = story(
        replace(AT_ONCE, prompt_and_tools=kept),
        call(("act", "{}")),
        say("one"),
        say("two"),
        tools=[toy("act", changes)],
    )
    agent = told.agent(system="old")

    async def go() -> None:
        await agent.prompt("go")
        await agent.prompt("again")

    played(go())
    seen = told.model.requests[1:]
    assert [tuple(face["name"] for face in one.tools) for one in seen] == tools
    assert [one.system for one in seen] == prompts
