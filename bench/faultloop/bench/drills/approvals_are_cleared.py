"""Only valid calls ask for permission; a pending question can be cancelled and leaves nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy, within
from faultloop.bench.drills.kit.toys import Gate
from faultloop.loop.checking import Permission
from faultloop.loop.contract import Contract
from faultloop.loop.events import CallNotExecuted, TurnEnded
from faultloop.loop.run_events import PermissionAsked

ASKS = (Ask("act", '{"x":3}'), Ask("nobody"), Ask("act", '{"y":"a"}'), Ask("act", '{"x":"a"}'))
"""Wrong type, no such tool, no such parameter; only the last is valid."""


def run(kit: Kit) -> Iterator[str]:
    """Wrong calls beside a right one; then a question that nobody answers before the cancel."""
    yield from _validated(kit)
    yield from _cancelled(kit)
    yield from _broken(kit)


def _validated(kit: Kit) -> Iterator[str]:
    act = toy(kit, "act")
    session = Session(kit, call(*ASKS), say("ok"), tools=[act])
    asked: list[dict[str, Any]] = []

    async def permit(contract: Contract, args: dict[str, Any]) -> Permission:
        asked.append(args)
        return Permission(granted=True)

    play(partial(session.listened(permit=permit).prompt, "go"))
    if asked != [{"x": "a"}]:
        yield f"permission was asked for {asked}, though only {{'x': 'a'}} was valid"
    told = [event for event in session.heard if isinstance(event, PermissionAsked)]
    if len(told) != 1:
        yield f"consumers were told of {len(told)} questions, though one call was valid"
    if act.runs != [{"x": "a"}]:
        yield f"the tool ran with {act.runs}"


def _cancelled(kit: Kit) -> Iterator[str]:
    act, gate = toy(kit, "act"), Gate()
    session = Session(kit, call(Ask("act"), Ask("act")), say("ok"), tools=[act])
    left: list[str] = []

    async def permit(contract: Contract, args: dict[str, Any]) -> Permission:
        try:
            await gate.passed()
        except asyncio.CancelledError:
            left.append("cleared")
            raise
        return Permission(granted=True)

    async def story() -> list[str]:
        agent = session.agent(permit=permit)
        turn = asyncio.ensure_future(agent.prompt("go"))
        await gate.reached.wait()
        found = [] if agent.state.turn.end_reason is None else ["the question closed the turn"]
        agent.cancel()
        await within(60, "the end of a turn that was cancelled in a question", _done(turn))
        if left != ["cleared"]:
            found.append("the question was still pending when the turn was over")
        gate.open()
        await asyncio.sleep(60)
        return found

    yield from play(story)
    if act.runs:
        yield f"a call whose question was cancelled ran all the same: {act.runs}"
    if (ends := [event.end_reason for event in session.of(TurnEnded)]) != ["aborted"]:
        yield f"the turn that was cancelled in a question ended as {ends}"
    if (codes := [event.code for event in session.of(CallNotExecuted)]) != ["CANCELLED"] * 2:
        yield f"the calls that waited for permission were closed as {codes}"


def _broken(kit: Kit) -> Iterator[str]:
    """Who cannot answer has not said yes."""
    act = toy(kit, "act")
    session = Session(kit, call(Ask("act")), say("ok"), tools=[act])

    async def permit(contract: Contract, args: dict[str, Any]) -> Permission:
        raise RuntimeError("the approval service is down")

    play(partial(session.agent(permit=permit).prompt, "go"))
    if act.runs:
        yield "a call ran whose permission check had raised"


async def _done(turn: asyncio.Future[Any]) -> None:
    await turn


DRILL = Drill(
    name="approvals-are-cleared",
    claim="only valid calls ask for permission, and a pending question ends with its turn",
    claims=("P10", "P8", "X1"),
    evidence="journal",
    run=run,
)
