"""One try at a tool: whatever it does, the session goes on and nobody else feels it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import replace
from typing import Any

import pytest

from faultloop.loop.checking import Permission
from faultloop.loop.contract import Contract
from faultloop.loop.events import CallEnded, CallNotExecuted, CallStarted
from faultloop.loop.evolving import replay
from faultloop.loop.tools.port import ToolResult

from .story import AT_ONCE, Scripted, Story, Toy, call, played, say, toy


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this")


def raising(error: Exception) -> Any:
    def body(args: dict[str, Any], context: object) -> str:
        raise error

    return body


def result(**fields: Any) -> Any:
    return lambda args, context: ToolResult(**{"outcome": "ok", "content": "x", **fields})


HOSTILE = [
    # what the tool does, outcome, what the model reads of it
    (lambda args, context: "file \udcff.txt", "ok", "file \ufffd.txt"),
    (raising(FileNotFoundError("no \udcff.txt")), "unknown", "FileNotFoundError: no \ufffd.txt"),
    (raising(Unspeakable()), "unknown", "Unspeakable, whose text cannot be had"),
    (result(outcome="banana"), "unknown", "a result that is none (Invalid enum value 'banana'"),
    (result(outcome="failed", code=None), "unknown", "a result that is none (Expected `str`"),
    (result(content=b"raw"), "unknown", "a result that is none (Expected `str`"),
    (result(truncated="no"), "unknown", "a result that is none (Expected `bool`"),
    (result(outcome="failed", code="Q\ud800"), "failed", "[code: Q\ufffd]"),
    (result(continuation="\ud800"), "ok", "to read on: \ufffd"),
    (lambda args, context: 7, "unknown", "a result that is none (it is of type int)"),
]


@pytest.mark.parametrize(("body", "outcome", "told"), HOSTILE)
def test_what_a_tool_returns_or_raises_never_ends_the_turn_or_bricks_the_session(
    body: Any, outcome: str, told: str
) -> None:
    story = Story(Scripted(call(("act", "{}")), say("ok"), say("still here")), [toy("act", body)])

    async def go() -> tuple[str, str]:
        agent = story.agent()
        return (await agent.prompt("go")).end_reason, (await agent.prompt("again")).end_reason

    assert played(go()) == ("completed", "completed")
    (ended,) = story.of(CallEnded)
    assert ended.outcome == outcome
    assert told in ended.result.content
    replay(story.events)


def test_what_a_tool_says_of_its_result_reaches_the_model_and_the_journal() -> None:
    body = result(content="lines 1 to 100", truncated=True, continuation="offset=100")
    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act", body)])
    played(story.agent().prompt("go"))
    assert story.model.told == ["lines 1 to 100\n[cut; to read on: offset=100]"]
    (ended,) = story.of(CallEnded)
    assert (ended.truncated, ended.continuation) == (True, "offset=100")


@pytest.mark.parametrize("retryable", [True, False])
def test_a_reader_is_tried_again_only_where_the_failure_says_so(retryable: bool) -> None:
    body = result(outcome="failed", code="BUSY_DISK", retryable=retryable)
    story = Story(Scripted(call(("look", "{}"))), [toy("look", body, read_only=True)])
    played(story.agent().prompt("go"))
    assert len(story.tools[0].runs) == (3 if retryable else 1)


def test_a_reader_with_a_bug_is_run_once() -> None:
    buggy = toy("look", lambda args, context: str(1 // 0), read_only=True)
    story = Story(Scripted(call(("look", "{}"))), [buggy])
    played(story.agent().prompt("go"))
    assert len(buggy.runs) == 1


def test_nobody_sees_what_another_did_to_the_arguments() -> None:
    seen: list[tuple[str, str]] = []

    def spoiled(who: str, args: dict[str, Any], answer: Any = None) -> Any:
        seen.append((who, json.dumps(args)))
        args["deep"]["list"].append(who)
        args.clear()
        return answer

    async def permit(contract: Contract, args: dict[str, Any]) -> Permission:
        if contract.name == "find":  # the query is asked about as well
            return Permission(granted=True)
        return spoiled("permit", args, Permission(granted=True))

    def pay(args: dict[str, Any], context: object) -> ToolResult:
        spoiled("tool", args)
        return ToolResult(outcome="unknown", content="?", code="TIMEOUT", retryable=True)

    parameters = {"type": "object", "properties": {"deep": {"type": "object"}}}
    paying = Contract(
        name="pay",
        purpose="p",
        parameters=parameters,
        idempotent=True,
        concurrency_safe=lambda args: spoiled("safe", args, True),
        resource=lambda args: spoiled("resource", args, "r"),
        verify_with="find",
        verify_arguments=lambda args: spoiled("query", args, {}),
    )
    finding = Contract(name="find", purpose="p", parameters=parameters, read_only=True)
    given = '{"deep": {"list": []}}'
    story = Story(Scripted(call(("pay", given)), say("ok")), [Toy(paying, pay), Toy(finding)])
    assert played(story.agent(permit=permit).prompt("go")).end_reason == "completed"
    assert {who for who, _ in seen} == {"permit", "tool", "safe", "resource", "query"}
    assert {args for _, args in seen} == {given}
    assert [who for who, _ in seen].count("tool") == 3
    assert story.of(CallStarted)[0].arguments == '{"deep":{"list":[]}}'


# --- work that cannot be stopped ---------------------------------------------------------------


class Deaf:
    """A body that goes on whatever it is told, until it is let go."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.live = 0
        self.peak = 0

    async def __call__(self, args: dict[str, Any], context: object) -> str:
        self.live += 1
        self.peak = max(self.peak, self.live)
        while not self.gate.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await self.gate.wait()
        self.live -= 1
        return "done"


@pytest.mark.parametrize("declared", [{"idempotent": True}, {"read_only": True}])
def test_work_that_still_runs_is_never_tried_again_beside_itself(declared: dict[str, bool]) -> None:
    deaf = Deaf()
    story = Story(Scripted(call(("act", "{}")), say("ok")), [toy("act", deaf, **declared)])
    story.policy = replace(AT_ONCE, tool_timeout_s=0.01)

    async def go() -> None:
        agent = story.agent()
        await agent.prompt("go")
        deaf.gate.set()
        await agent.close()

    played(go())
    assert (deaf.peak, len(story.tools[0].runs)) == (1, 1)
    assert story.of(CallEnded)[0].code == "STILL_RUNNING"


def test_what_could_not_be_stopped_keeps_its_place_until_it_ends() -> None:
    deaf = Deaf()
    declared: dict[str, Any] = {"concurrency_safe": True, "resource": lambda args: args["x"]}
    story = Story(
        Scripted(
            call(("write", '{"x": "a"}')),
            call(("act", "{}"), ("write", '{"x": "a"}'), ("write", '{"x": "b"}'), ("look", "{}")),
            say("I wait"),
            call(("act", "{}"), ("write", '{"x": "a"}')),
            say("ok"),
        ),
        [
            toy(
                "write", lambda args, context: "w" if deaf.peak else deaf(args, context), **declared
            ),
            toy("act"),
            toy("look", read_only=True, concurrency_safe=True),
        ],
    )
    story.policy = replace(AT_ONCE, tool_timeout_s=0.01)

    async def go() -> None:
        agent = story.agent()
        await agent.prompt("go")
        assert sorted(one.call for one in story.of(CallNotExecuted)) == ["1/2/0", "1/2/1"]
        deaf.gate.set()
        while agent.caller.trying.strays:
            await asyncio.sleep(0)
        await agent.prompt("now?")

    played(go())
    refused = story.of(CallNotExecuted)
    assert {one.code for one in refused} == {"BUSY"}
    assert "earlier work of write could not be stopped" in refused[0].result.content
    assert len(refused) == 2, "once it has ended nothing stands in the way"
    assert [tool.runs for tool in story.tools] == [
        [{"x": "a"}, {"x": "b"}, {"x": "a"}],
        [{}],
        [{}],
    ]


def test_a_tool_that_does_not_heed_the_signal_has_its_grace_and_no_more() -> None:
    deaf = Deaf()
    story = Story(Scripted(call(("act", "{}"))), [toy("act", deaf, cancellable=True)])
    # Waiting for the tool's time instead would outlast the story.
    story.policy = replace(AT_ONCE, tool_timeout_s=60.0, stop_grace_s=0.01)

    async def go() -> str:
        agent = story.agent()
        driven = asyncio.ensure_future(agent.prompt("go"))
        while not deaf.live:
            await asyncio.sleep(0)
        agent.cancel()
        end = await driven
        deaf.gate.set()
        await agent.close()
        return end.end_reason

    assert played(go()) == "aborted"
    (ended,) = story.of(CallEnded)
    assert (ended.outcome, ended.code) == ("unknown", "STILL_RUNNING")
    assert "it was cancelled while it was running, and the work could not be stopped" in (
        ended.result.content
    )
