"""Calls that start while their reply still comes (SPEC L4, P1): whole ones only, and none is lost.

The stories hold the model's stream at an event until a tool has run, or a tool until the stream has
gone on; a loop that does it in another order hangs, and fails.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from faultloop.loop.checking import Permission
from faultloop.loop.events import (
    AttemptEnded,
    CallEnded,
    CallNotExecuted,
    CallStarted,
    ItemCommitted,
    MessageCommitted,
    StepEnded,
)
from faultloop.loop.evolving import replay
from faultloop.loop.hooks import Hooks
from faultloop.loop.message import AssistantMessage, Message, ResultMessage
from faultloop.loop.policy import Backoff
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ProviderFailure,
    TextDelta,
    UsageDelta,
)
from faultloop.loop.tools.port import ToolResult
from faultloop.loop.view import repaired

from .story import AT_ONCE, Line, Scripted, Story, played, say, toy

BY_ITEM = replace(AT_ONCE, starts="each_item", truncation="end")
SAFE = {"read_only": True, "concurrency_safe": True, "cancellable": True}
RESET = ProviderFailure("unavailable", "reset")


def piece(index: int, arguments: str, name: str = "act") -> CallDelta:
    """A call's first piece; the others are `CallDelta`s without a name."""
    return CallDelta(index, id=f"c{index}", name=name, arguments=arguments)


def more(index: int, arguments: str) -> CallDelta:
    return CallDelta(index, arguments=arguments)


def end(finish: Any = "tool_calls") -> list[Delta]:
    return [FinishDelta(finish, finish), UsageDelta(10, 5), EndDelta()]


def told(line: Line, *lines: Line, body: Any = None, **policy: Any) -> Story:
    tools = [toy("act", body), toy("look", **SAFE)]
    return Story(Scripted(line, *lines), tools, replace(BY_ITEM, **policy))


class Running:
    """A tool's body that says when it runs, and ends when it may."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.may_end = asyncio.Event()

    async def __call__(self, args: Any, context: Any) -> str:
        self.began.set()
        await self.may_end.wait()
        return "done"


def paired(story: Story) -> bool:
    """Whether each call ever committed was closed once, and the history needs no repair."""
    events = story.events
    calls = {
        f"{event.turn}/{event.step}/{index}": 1
        for event in story.of(MessageCommitted)
        for index in range(len(event.message.calls))
    }
    closed = Counter(e.call for e in events if isinstance(e, CallEnded | CallNotExecuted))
    said = tuple(one for one in replay(events).history if not is_empty(one))
    return closed == calls and repaired(said) == said


def is_empty(message: Message) -> bool:
    return isinstance(message, AssistantMessage) and not (message.text or message.calls)


# --- while the reply still comes ----------------------------------------------------------------


def test_a_whole_call_runs_while_the_reply_still_comes() -> None:
    async def go() -> Story:
        running = Running()
        running.may_end.set()
        line = [piece(0, "{}"), piece(1, '{"x":'), running.began, more(1, '"2"}'), *end()]
        story = told(line, say("ok"), body=running)
        await story.agent().prompt("go")
        return story

    story = played(go())
    kinds = story.kinds
    assert kinds.index("ItemCommitted") < kinds.index("CallStarted")
    assert kinds.index("CallStarted") < kinds.index("MessageCommitted")
    assert story.tools[0].runs == [{}, {"x": "2"}]
    assert len(story.of(ItemCommitted)) == len(story.of(MessageCommitted)[0].message.calls) - 1


def test_by_default_nothing_starts_before_the_message() -> None:
    story = told([piece(0, "{}"), piece(1, "{}"), *end()], say("ok"), starts="whole_message")
    played(story.agent().prompt("go"))
    assert story.kinds.index("MessageCommitted") < story.kinds.index("CallStarted")
    assert story.of(ItemCommitted) == []


@pytest.mark.parametrize("rule", ["one_sequential_serialises", "all_read_only"])
def test_a_rule_for_whole_batches_waits_for_the_batch(rule: Any) -> None:
    line = [piece(0, "{}", "look"), piece(1, "{}", "look"), *end()]
    story = told(line, say("ok"), whole_batch=rule)
    played(story.agent().prompt("go"))
    assert story.kinds.index("MessageCommitted") < story.kinds.index("CallStarted")


def test_an_exclusive_call_is_a_barrier_for_what_comes_after_it() -> None:
    async def go() -> list[str]:
        running = Running()
        line = [piece(0, "{}"), piece(1, "{}", "look"), piece(2, "{}", "look"), running.began]
        story = told([*line, *end()], say("ok"), body=running)
        driving = asyncio.create_task(story.agent().prompt("go"))
        while not story.of(MessageCommitted):
            await asyncio.sleep(0)
        seen = [event.tool for event in story.of(CallStarted)]
        running.may_end.set()
        await driving
        return seen

    assert played(go()) == ["act"]


def test_each_call_is_asked_permission_for_before_it_starts() -> None:
    asked: list[str] = []

    async def permit(contract: Any, args: Any) -> Permission:
        asked.append(contract.name)
        return Permission(granted=contract.name == "look")

    line = [piece(0, "{}"), piece(1, '{"x": 3}'), piece(2, "{}", "look"), *end()]
    story = told(line, say("ok"))
    played(story.agent(permit=permit).prompt("go"))
    assert asked == ["act", "look"]
    assert [event.code for event in story.of(CallNotExecuted)] == ["DENIED", "INVALID_ARGS"]
    assert [event.tool for event in story.of(CallStarted)] == ["look"]


def test_calls_that_earlier_work_is_in_the_way_of_are_refused_one_after_the_other() -> None:
    async def never(args: Any, context: Any) -> str:
        await asyncio.Event().wait()
        return ""

    line = [*(piece(index, "{}") for index in range(4)), *end()]
    story = told([piece(0, "{}", "hangs"), *end()], line, say("ok"), tool_timeout_s=0.001)
    story.tools.append(toy("hangs", never))
    played(story.agent().prompt("go"))
    assert [event.code for event in story.of(CallNotExecuted)] == ["BUSY"] * 4
    assert paired(story)


# --- a reply that turns out cut -----------------------------------------------------------------


def test_when_the_reply_is_cut_nothing_further_starts_and_what_started_stays() -> None:
    async def go() -> tuple[Story, Any]:
        running = Running()
        line = [piece(0, "{}"), piece(1, "{}"), piece(2, '{"x":'), running.began, *end("length")]
        story = told(line, say("never asked"), body=running)
        driving = asyncio.create_task(story.agent().prompt("go"))
        while not story.of(MessageCommitted):
            await asyncio.sleep(0)
        running.may_end.set()
        return story, await driving

    story, ended = played(go())
    assert ended.end_reason == "max_tokens"
    assert len(story.model.requests) == 1
    assert [event.call for event in story.of(CallEnded)] == ["1/1/0"]
    refused = story.of(CallNotExecuted)
    assert [(event.call, event.code) for event in refused] == [
        ("1/1/1", "TRUNCATED"),
        ("1/1/2", "TRUNCATED"),
    ]
    assert all("before this call started" in event.result.content for event in refused)
    assert story.of(MessageCommitted)[0].message.truncated


NO_END: dict[str, tuple[list[Any], str, str]] = {
    "cut": (end("length"), "TRUNCATED", "max_tokens"),
    "filtered": (end("content_filter"), "BLOCKED", "blocked"),
    "broken off": ([RESET], "BROKEN", "completed"),
}


@pytest.mark.parametrize(("rest", "code", "reason"), NO_END.values(), ids=NO_END.keys())
def test_nobody_is_waited_for_who_was_asked_about_a_call_that_will_not_start(
    rest: Any, code: str, reason: str
) -> None:
    async def go() -> tuple[Story, str]:
        asked = asyncio.Event()

        async def permit(contract: Any, args: Any) -> Permission:
            asked.set()
            await asyncio.Event().wait()
            return Permission(granted=True)

        story = told([piece(0, "{}"), piece(1, "{}"), piece(2, ""), asked, *rest], say("ok"))
        ended = await story.agent(permit=permit).prompt("go")
        return story, ended.end_reason

    story, end_reason = played(go())
    assert (story.tools[0].runs, end_reason) == ([], reason)
    assert {event.code for event in story.of(CallNotExecuted)} == {code}
    assert paired(story)


def test_a_call_of_a_reply_that_was_cut_does_not_conclude() -> None:
    async def go() -> Story:
        running = Running()
        running.may_end.set()

        async def body(args: Any, context: Any) -> ToolResult:
            await running(args, context)
            return ToolResult(outcome="ok", content="done", concludes=True)

        line = [piece(0, "{}"), piece(1, ""), running.began, *end("length")]
        story = told(line, say("ok"), body=body, conclude="any", truncation="answer")
        story.tools[0] = toy("act", body, concludes=True)
        await story.agent().prompt("go")
        return story

    story = played(go())
    assert story.of(CallEnded)[0].concludes
    assert len(story.model.requests) == 2


def test_dropping_the_calls_of_a_cut_reply_keeps_those_that_may_have_run() -> None:
    line = [piece(0, "{}"), piece(1, "{}"), *end("length")]
    story = told(line, truncation="drop")
    assert played(story.agent().prompt("go")).end_reason == "max_tokens"
    (message,) = story.of(MessageCommitted)
    assert [call.id for call in message.message.calls] == ["c0"]


# --- a stream that breaks -----------------------------------------------------------------------


def breaking(running: Running) -> Line:
    """Text, a call that runs, one that waits behind it, and a reset."""
    return [TextDelta("I will"), piece(0, "{}"), piece(1, "{}"), piece(2, ""), running.began, RESET]


def test_a_stream_that_breaks_after_a_call_is_not_asked_again_as_if_nothing_had_happened() -> None:
    async def go() -> Story:
        running = Running()
        story = told(breaking(running), say("ok"), body=running)
        driving = asyncio.create_task(story.agent().prompt("go"))
        while not story.of(MessageCommitted):
            await asyncio.sleep(0)
        running.may_end.set()
        assert (await driving).end_reason == "completed"
        return story

    story = played(go())
    first, second = story.model.requests
    _, reply, *results = second.messages
    assert len(first.messages) == 1
    assert isinstance(reply, AssistantMessage)
    assert (reply.text, [call.id for call in reply.calls]) == ("", ["c0", "c1"])
    assert [isinstance(one, ResultMessage) and one.content[:26] for one in results] == [
        "done",
        "not executed: the reply th",
    ]
    assert [event.code for event in story.of(CallNotExecuted)] == ["BROKEN"]
    assert len(story.tools[0].runs) == 1
    assert story.of(AttemptEnded)[0].state == "failed"


def test_such_failures_are_counted_and_bounded_as_any_others() -> None:
    line = [piece(0, "{}"), piece(1, "{}"), piece(2, ""), RESET]
    before: Line = [piece(0, "{}"), RESET]
    story = told(line, before, line, line, line)
    ended = played(story.agent().prompt("go"))
    assert ended.end_reason == "error"
    assert "failed after 3 attempts" in ended.error
    assert len(story.model.requests) == 3
    steps = [(event.step, event.why) for event in story.of(StepEnded)]
    assert steps == [(1, "owes_request"), (2, "failed")]


def test_the_wait_before_the_next_request_is_that_of_a_retry_and_a_cancel_cuts_it() -> None:
    line = [piece(0, "{}"), piece(1, ""), RESET]
    story = told(line, request_backoff=Backoff(retries_max=2, base_s=3600.0, cap_s=3600.0))

    async def go() -> str:
        agent = story.agent()
        driving = asyncio.create_task(agent.prompt("go"))
        while story.kinds.count("StepStarted") < 2:
            await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(story.model.requests) == 1
        agent.cancel()
        return (await driving).end_reason

    assert played(go()) == "aborted"
    assert len(story.model.requests) == 1


def test_a_cancel_while_a_hook_looks_at_the_failure_closes_everything() -> None:
    async def go() -> tuple[Story, str]:
        asked = asyncio.Event()

        async def looks(failure: ProviderFailure, failures: int) -> None:
            asked.set()
            await asyncio.Event().wait()

        story = told([piece(0, "{}"), piece(1, ""), RESET], say("never asked"))
        agent = story.agent(hooks=Hooks(request_error=(looks,)))
        driving = asyncio.create_task(agent.prompt("go"))
        await asked.wait()
        agent.cancel()
        return story, (await driving).end_reason

    story, end_reason = played(go())
    assert (end_reason, len(story.model.requests)) == ("aborted", 1)
    assert paired(story)


def test_before_any_call_is_whole_a_broken_stream_is_an_ordinary_failure() -> None:
    story = told([TextDelta("I will"), piece(0, "{}"), RESET], say("ok"))
    assert played(story.agent().prompt("go")).end_reason == "completed"
    first, second = story.model.requests
    assert first.messages == second.messages
    assert story.of(ItemCommitted) == []


def test_a_failure_that_allows_no_retry_ends_the_turn_with_its_calls_closed() -> None:
    line = [piece(0, "{}"), piece(1, ""), ProviderFailure("rejected", "HTTP 400", status=400)]
    story = told(line)
    ended = played(story.agent().prompt("go"))
    assert (ended.end_reason, len(story.model.requests)) == ("error", 1)
    assert replay(story.events).phase == "idle"
    assert paired(story)


def test_an_internal_fault_withdraws_the_question_about_a_call() -> None:
    withdrawn: list[bool] = []

    async def go() -> Story:
        asked = asyncio.Event()

        async def permit(contract: Any, args: Any) -> Permission:
            asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                withdrawn.append(True)
            return Permission(granted=True)

        fault = RuntimeError("a bug in an adapter")
        story = told([piece(0, "{}"), piece(1, ""), asked, fault])
        assert (await story.agent(permit=permit).prompt("go")).end_reason == "error"
        return story

    story = played(go())
    assert withdrawn == [True]
    assert [event.code for event in story.of(CallNotExecuted)] == ["FAULT"]
    assert replay(story.events).phase == "idle"


def test_an_internal_fault_stops_what_runs_and_closes_it() -> None:
    async def go() -> Story:
        running = Running()
        line = [piece(0, "{}"), piece(1, ""), running.began, RuntimeError("a bug in an adapter")]
        story = told(line, body=running)
        assert (await story.agent().prompt("go")).end_reason == "error"
        return story

    story = played(go())
    (ended,) = story.of(CallEnded)
    assert (ended.outcome, ended.code) == ("unknown", "FAULT")
    assert replay(story.events).phase == "idle"
