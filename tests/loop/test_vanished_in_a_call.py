"""A process vanished while a call ran: what the next one finds out of it, and tells."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from faultloop.loop.events import CallEnded, CallStarted

from .story import AT_ONCE, Scripted, Story, Toy, call, played, toy

LOOK = {"read_only": True, "concurrency_safe": True}


def left_in_a_call(*tools: Toy, **settings: Any) -> Story:
    """The session as the next process finds it: the first one vanished while `pay` ran."""

    async def hang(args: dict[str, Any], context: Any) -> str:
        await asyncio.Event().wait()
        return "never"

    async def go() -> list[bytes]:
        first = before.agent()
        driven = asyncio.ensure_future(first.prompt("go"))
        while not before.of(CallStarted):
            await asyncio.sleep(0)
        snapshot = list(before.store)
        first.cancel()
        driven.cancel()
        return snapshot

    pay = toy("pay", hang, verify_with="find", output_budget_bytes=300)
    before = Story(Scripted(call(("pay", "{}"))), [pay, *tools])
    return Story(Scripted(), [pay, *tools], store=played(go()), **settings)


def test_what_the_world_answers_fits_into_the_budget_of_the_call_that_is_asked_about() -> None:
    session = left_in_a_call(toy("find", lambda args, context: "Z" * 9_000, read_only=True))
    played(session.agent().open())
    (ended,) = session.of(CallEnded)
    assert ended.truncated
    assert len(ended.result.content.encode()) <= 300


def test_policy_may_forbid_to_ask_the_world_what_became_of_a_call() -> None:
    find = toy("find", **LOOK)
    session = left_in_a_call(find, policy=replace(AT_ONCE, query_unknown=False))
    assert played(session.agent().open()) == ("interrupted",)
    assert find.runs == []
    (ended,) = session.of(CallEnded)
    assert (ended.outcome, ended.code) == ("unknown", "VANISHED")


def test_who_listens_hears_what_became_of_the_turn_that_was_left() -> None:
    heard: list[str] = []
    session = left_in_a_call(toy("find", **LOOK))

    async def go() -> None:
        agent = session.agent()
        agent.subscribe(lambda event: heard.append(type(event).__name__))
        await agent.open()

    played(go())
    assert heard[-3:] == ["ToolEnded", "StepClosed", "TurnOver"]
