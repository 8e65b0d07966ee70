"""Tools fail, are refused, hang or say too much: every call still gets its one result."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from faultloop.loop.checking import Permission
from faultloop.loop.engine import Agent
from faultloop.loop.events import (
    AttemptEnded,
    CallEnded,
    CallNotExecuted,
    CallStarted,
)
from faultloop.loop.executing import Executing
from faultloop.loop.policy import Backoff
from faultloop.loop.schedule import Decision
from faultloop.loop.tools.port import ToolResult

from .story import AT_ONCE, Scripted, Story, call, played, say, toy


def test_an_unknown_tool_is_answered_with_the_tools_there_are() -> None:
    story = Story(Scripted(call(("raed", "{}")), say("ok")), [toy("write"), toy("read")])
    assert played(story.agent().prompt("go")).end_reason == "completed"
    assert "read, write" in story.model.told[0]


def test_wrong_arguments_touch_nothing_and_ask_nobody() -> None:
    asked: list[str] = []

    async def permit(contract, args):
        asked.append(contract.name)
        return Permission(granted=True)

    story = Story(Scripted(call(("act", '{"x": 1}')), say("ok")), [toy("act")])
    played(story.agent(permit=permit).prompt("go"))
    assert (story.tools[0].runs, asked) == ([], [])
    assert [event.code for event in story.of(CallNotExecuted)] == ["INVALID_ARGS"]


def test_a_tool_that_raises_becomes_a_bounded_result() -> None:
    def body(args, context):
        raise ValueError("x" * 10_000)

    story = Story(Scripted(call(("act", "{}"), ("look", "{}")), say("ok")), [])
    story.tools = [toy("act", body), toy("look", body, read_only=True)]
    assert played(story.agent().prompt("go")).end_reason == "completed"
    assert [event.outcome for event in story.of(CallEnded)] == ["unknown", "failed"]
    assert all("ValueError" in told and len(told) < 1_000 for told in story.model.told)


GATEWAY = ToolResult(outcome="unknown", content="HTTP 504", code="HTTP_504", retryable=True)


@pytest.mark.parametrize(
    ("declared", "tries"),
    [({}, 1), ({"read_only": True}, 3), ({"idempotent": True}, 3), ({"honours_key": True}, 3)],
)
def test_only_harmless_calls_are_tried_again(declared, tries) -> None:
    tool = toy("act", lambda args, context: GATEWAY, **declared)
    story = Story(Scripted(call(("act", "{}")), say("ok")), [tool])
    played(story.agent().prompt("go"))
    assert len(tool.runs) == tries
    assert len({context.key for context in tool.contexts}) == 1
    assert len({context.attempt for context in tool.contexts}) == tries
    assert len(story.of(CallStarted)) == len(story.of(CallEnded)) == 1


def test_an_unknown_outcome_is_looked_up_where_the_contract_says_how() -> None:
    act = toy("pay", lambda args, context: GATEWAY, verify_with="list_payments")
    look = toy("list_payments", lambda args, context: "one payment of 5", read_only=True)
    story = Story(Scripted(call(("pay", "{}")), say("ok")), [act, look])
    played(story.agent().prompt("go"))
    assert len(act.runs) == len(look.runs) == 1
    assert "one payment of 5" in story.model.told[0]
    assert [event.outcome for event in story.of(CallEnded)] == ["unknown"]


def test_a_call_that_depends_on_a_failed_one_is_not_executed() -> None:
    failing = toy("first", lambda args, context: ToolResult(outcome="failed", content="no"))
    after = toy("second", depends_on=("first",))
    story = Story(Scripted(call(("first", "{}"), ("second", "{}")), say("ok")), [failing, after])
    played(story.agent().prompt("go"))
    assert after.runs == []
    assert story.model.told[1].startswith("not executed: dependency failed")


def test_output_over_its_budget_is_cut_and_says_so() -> None:
    tool = toy("act", lambda args, context: "x" * 50_000, output_budget_bytes=1_000)
    story = Story(Scripted(call(("act", "{}")), say("ok")), [tool])
    played(story.agent().prompt("go"))
    assert len(story.model.told[0]) <= 1_000
    assert "cut" in story.model.told[0]


@pytest.mark.parametrize("cancellable", [True, False])
def test_a_call_that_hangs_is_given_up_as_unknown(cancellable: bool) -> None:
    forever = asyncio.Event()

    async def body(args, context):
        await forever.wait()

    tool = toy("act", body, cancellable=cancellable)
    policy = replace(AT_ONCE, tool_timeout_s=0.01)
    story = Story(Scripted(call(("act", "{}")), say("ok")), [tool], policy=policy)

    async def go():
        agent = story.agent()
        end = await agent.prompt("go")
        await agent.close()
        return end

    assert played(go()).end_reason == "completed"
    (ended,) = story.of(CallEnded)
    assert (ended.outcome, ended.code) == (
        "unknown",
        "TIMEOUT" if cancellable else "STILL_RUNNING",
    )


@pytest.mark.parametrize(("denied", "reason"), [("tell", "completed"), ("block", "blocked")])
def test_a_denied_call_is_told_or_blocks_the_turn(denied, reason) -> None:
    async def permit(contract, args):
        return Permission(granted=False, reason="not on Fridays")

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act")])
    story.policy = replace(AT_ONCE, denied=denied)
    end = played(story.agent(permit=permit).prompt("go"))
    assert (end.end_reason, story.tools[0].runs) == (reason, [])
    assert "not on Fridays" in story.of(CallNotExecuted)[0].result.content


def test_a_pending_permission_is_cut_by_a_cancel() -> None:
    async def permit(contract, args):
        agent.cancel()
        await asyncio.Event().wait()

    story = Story(Scripted(call(("act", "{}"))), [toy("act")])
    agent = story.agent(permit=permit)
    assert played(agent.prompt("go")).end_reason == "aborted"
    assert story.tools[0].runs == []
    assert story.model.closed == 1


@pytest.mark.parametrize("error", [KeyError("no such rule"), SystemExit(1), KeyboardInterrupt()])
def test_a_permission_check_that_breaks_has_not_said_yes(error) -> None:
    async def permit(contract, args):
        raise error

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act")])
    assert played(story.agent(permit=permit).prompt("go")).end_reason == "completed"
    assert story.tools[0].runs == []


@pytest.mark.parametrize("answer", [True, None, "yes", (True, ""), Permission(granted="yes")])
def test_only_a_permission_is_a_permission(answer) -> None:
    async def permit(contract, args):
        return answer

    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act")])
    assert played(story.agent(permit=permit).prompt("go")).end_reason == "completed"
    assert story.tools[0].runs == []
    (refused,) = story.of(CallNotExecuted)
    assert refused.code == "DENIED"
    if not isinstance(answer, Permission):
        assert repr(answer) in refused.result.content


def test_policy_may_forbid_to_look_an_unknown_outcome_up() -> None:
    act = toy("pay", lambda args, context: GATEWAY, verify_with="list_payments")
    look = toy("list_payments", read_only=True)
    story = Story(Scripted(call(("pay", "{}")), say("ok")), [act, look])
    story.policy = replace(AT_ONCE, query_unknown=False)
    played(story.agent().prompt("go"))
    assert look.runs == []
    assert story.model.told == ["HTTP 504\n[code: HTTP_504]"]


@pytest.mark.parametrize("soon", [True, False], ids=["in the wait", "before it"])
def test_a_cancel_cuts_the_wait_before_the_next_try_and_the_failure_is_told(soon: bool) -> None:
    busy = ToolResult(outcome="failed", content="busy", code="BUSY_DISK", retryable=True)
    look = toy("look", lambda args, context: busy, read_only=True)
    story = Story(Scripted(call(("look", "{}")), say("never asked")), [look])
    story.policy = replace(AT_ONCE, tool_backoff=Backoff(retries_max=2, base_s=60.0, cap_s=60.0))

    class Cancels:
        async def reach(self, name, events=()):
            failed = any(isinstance(one, AttemptEnded) and one.state == "failed" for one in events)
            if failed and name == "after_journal":
                if soon:
                    asyncio.get_running_loop().call_soon(agent.cancel)
                else:
                    agent.cancel()

    agent = story.agent(landmarks=Cancels())
    assert played(agent.prompt("go")).end_reason == "aborted"
    assert len(look.runs) == 1
    (ended,) = story.of(CallEnded)
    assert (ended.outcome, ended.code) == ("failed", "BUSY_DISK")


def test_after_a_cancel_nobody_is_asked_about_the_calls_that_are_left() -> None:
    asked: list[str] = []

    async def permit(contract, args):
        asked.append(args["x"])
        agent.cancel()
        return Permission(granted=True)

    lines = call(("act", '{"x": "1"}'), ("act", '{"x": "2"}'))
    story = Story(Scripted(lines, say("never asked")), [toy("act")])
    agent = story.agent(permit=permit)
    assert played(agent.prompt("go")).end_reason == "aborted"
    assert (asked, story.tools[0].runs) == (["1"], [])
    assert [event.code for event in story.of(CallNotExecuted)] == ["CANCELLED", "CANCELLED"]


def test_a_schedule_that_neither_starts_nor_refuses_is_a_fault_and_no_endless_wait() -> None:
    class Idle(Executing):
        def may_start(self, planned, progress):
            return Decision(start=(), refuse={})

    class Waits(Agent):
        executing = Idle

    story = Story(Scripted(call(("act", "{}"))), [toy("act")], agent_class=Waits)
    end = played(story.agent().prompt("go"))
    assert end.end_reason == "error"
    assert "neither starts nor refuses" in end.error
