"""A query of the world is a call like any other: hooks and permission have their say (SPEC P10)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from faultloop.loop.checking import Permission
from faultloop.loop.contract import Contract
from faultloop.loop.events import AttemptStarted, CallEnded, HookFailed
from faultloop.loop.hooks import Block, Hooks
from faultloop.loop.registry import Registry
from faultloop.loop.run_events import PermissionAnswered, PermissionAsked
from faultloop.loop.tools.port import ToolResult

from .story import Scripted, Story, Toy, call, played, say, toy

SAID = "one payment of 5"


def unseen(*given: Any) -> ToolResult:
    raise ConnectionError("reset")


def story(look: Toy, hooks: Hooks = Hooks()) -> Story:  # noqa: B008 -- frozen
    told = Story(Scripted(call(("pay", "{}")), say("ok")), [])
    told.tools = [toy("pay", unseen, verify_with="look"), look]
    told.options["hooks"] = hooks
    return told


def looking() -> Toy:
    return toy("look", lambda args, context: SAID, read_only=True)


def blocks(contract: Contract, args: dict[str, Any]) -> Block | None:
    return Block("no looking") if contract.name == "look" else None


def breaks(contract: Contract, args: dict[str, Any]) -> None:
    if contract.name == "look":
        raise LookupError("no such key")


async def denies(contract: Contract, args: dict[str, Any]) -> Permission:
    return Permission(contract.name == "pay", "no looking")


@pytest.mark.parametrize("before", [blocks, breaks])
def test_a_hook_that_blocks_the_query_leaves_the_outcome_unknown(before: Any) -> None:
    look = looking()
    told = story(look, Hooks(before_tool=(before,)))
    played(told.agent().prompt("go"))
    assert look.runs == []
    assert SAID not in told.model.told[0]
    assert [event.outcome for event in told.of(CallEnded)] == ["unknown"]
    assert [event.of for event in told.of(AttemptStarted) if event.of == "query"] == []


def test_a_denied_query_is_not_made_and_the_question_is_not_taken_for_the_calls() -> None:
    look, asked = looking(), list[str]()
    told = story(look)
    agent = told.agent(permit=denies)
    agent.subscribe(lambda event: asked.append(event.call) if _is_asked(event) else None)
    played(agent.prompt("go"))
    assert look.runs == []
    assert asked == ["1/1/0", "1/1/0/query"]
    assert SAID not in told.model.told[0]


QUESTIONS = {
    "granted": ("lets", [("1/1/0", True), ("1/1/0/query", True)]),
    "denied": ("denies", [("1/1/0", True), ("1/1/0/query", False)]),
    "broken": ("breaks", [("1/1/0", True), ("1/1/0/query", False)]),
    "left alone": ("stops", [("1/1/0", True), ("1/1/0/query", False)]),
}


@pytest.mark.parametrize(("how", "answers"), QUESTIONS.values(), ids=QUESTIONS)
def test_each_question_is_told_as_over_whether_it_is_the_models_or_the_loops(
    how: str, answers: list[tuple[str, bool]]
) -> None:
    async def permit(contract: Contract, args: dict[str, Any]) -> Permission:
        if contract.name == "pay" or how == "lets":
            return Permission(granted=True)
        if how == "breaks":
            pytest.fail("not even an Exception")
        if how == "stops":
            agent.cancel()
            await asyncio.Event().wait()
        return Permission(granted=False)

    told, heard = story(looking()), list[Any]()
    agent = told.agent(permit=permit)
    agent.subscribe(heard.append)
    played(agent.prompt("go"))
    over = [event for event in heard if isinstance(event, PermissionAnswered)]
    assert [(event.call, event.granted) for event in over] == answers
    asked = [event.call for event in heard if isinstance(event, PermissionAsked)]
    assert asked == [event.call for event in over]
    assert [event.outcome for event in told.of(CallEnded)] == ["unknown"]


def _is_asked(event: object) -> bool:
    return isinstance(event, PermissionAsked)


def test_a_tool_that_is_shut_is_not_asked_either() -> None:
    look = looking()
    told = story(look)
    played(told.agent(tools=Registry(told.tools, shut=("look",))).prompt("go"))
    assert look.runs == []


def redacts(contract: Contract, result: ToolResult) -> ToolResult:
    return replace(result, content="[redacted]") if contract.name == "look" else result


def test_what_a_hook_takes_out_of_the_answer_is_not_told() -> None:
    told = story(looking(), Hooks(after_tool=(redacts,)))
    played(told.agent().prompt("go"))
    assert SAID not in told.model.told[0]
    assert "look was asked just now, and says: [redacted]\n" in told.model.told[0]


def test_nor_is_it_told_by_a_recovery() -> None:
    before = story(looking())
    played(before.agent().prompt("go"))
    at = next(i for i, event in enumerate(before.events) if isinstance(event, AttemptStarted)
              and event.of == "query")  # fmt: skip
    look = looking()
    after = story(look, Hooks(after_tool=(redacts,)))
    after.store = before.store[:at]
    played(after.agent().open())
    assert len(look.runs) == 1
    (ended,) = after.of(CallEnded)
    assert SAID not in ended.result.content
    assert "says: [redacted]\n" in ended.result.content


def test_an_answer_that_could_not_be_looked_over_says_nothing_of_the_call() -> None:
    def breaks_behind(contract: Contract, result: ToolResult) -> ToolResult:
        if contract.name == "look":
            raise LookupError("no such key")
        return result

    def keeps(contract: Contract, result: ToolResult) -> ToolResult:
        return result

    look = looking()
    told = story(look, Hooks(after_tool=(breaks_behind, keeps)))
    played(told.agent().prompt("go"))
    assert len(look.runs) == 1
    assert [event.point for event in told.of(HookFailed)] == ["after_tool"]
    assert [event.outcome for event in told.of(CallEnded)] == ["unknown"]
    assert "says:" not in told.model.told[0]
    assert "was carried out" not in told.model.told[0]


@pytest.mark.parametrize("asks", ["hook", "hook that waits", "permission"])
def test_a_cancel_while_it_is_asked_whether_to_look_leaves_the_outcome_unknown(asks: str) -> None:
    async def waits(contract: Contract, args: dict[str, Any]) -> Any:
        if contract.name == "look":
            agent.cancel()
            await asyncio.Event().wait()
        return Permission(granted=True) if asks == "permission" else None

    def stops(contract: Contract, args: dict[str, Any]) -> None:
        if contract.name == "look":
            agent.cancel()

    look = looking()
    hooks = {"hook": Hooks(before_tool=(stops,)), "hook that waits": Hooks(before_tool=(waits,))}
    told = story(look, hooks.get(asks, Hooks()))
    agent = told.agent(permit=waits if asks == "permission" else None)
    assert played(agent.prompt("go")).end_reason == "aborted"
    assert look.runs == []
    assert [event.outcome for event in told.of(CallEnded)] == ["unknown"]
