"""Across processes a lease decides who works on a session, and who lost it stops without a word."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import play, toy
from faultloop.bench.drills.kit.shared import Shared, shared
from faultloop.loop.engine import Agent
from faultloop.loop.journal.port import JournalTrouble
from faultloop.loop.lease.port import LeaseHeld
from faultloop.loop.tools.port import ToolContext


def run(kit: Kit) -> Iterator[str]:
    """For each store: two want one session; then the first is frozen while its tool runs."""
    with shared(kit) as sessions:
        for session in sessions:
            yield from _two(session)
    with shared(kit) as sessions:
        for session in sessions:
            yield from _frozen(kit, session)


def _two(session: Shared) -> Iterator[str]:
    first, second = session.agent(say("one"), say("two")), session.agent(say("mine"))

    async def story() -> list[str]:
        await first.prompt("go")
        found = await _refused(second, "while the first held it")
        try:
            await first.prompt("go on")
        except (LeaseHeld, JournalTrouble) as turned_out:
            found.append(f"the first was turned out of its session: {turned_out}")
        found += await _refused(second, "between two turns of the first")
        await first.close()
        try:
            if (end := await second.prompt("now?")).text != "mine":
                found.append(f"after the first was closed, the second ended as {end}")
        except LeaseHeld as held:
            found.append(f"after the first was closed, the second was refused: {held}")
        await second.close()
        return found

    yield from play(story)


async def _refused(agent: Agent, when: str) -> list[str]:
    """A second process is told who has the session."""
    try:
        await agent.prompt("me too")
    except LeaseHeld as held:
        told = str(held)
        return [] if f"process {os.getpid()} " in told else [f"{when}, it was not told who: {told}"]
    except JournalTrouble as trouble:
        return [f"{when}, a second process got as far as the journal: {trouble}"]
    return [f"{when}, a second process worked on the session"]


def _frozen(kit: Kit, session: Shared) -> Iterator[str]:
    """The second takes over when the lease has expired; the first wakes in the middle of a turn."""
    second = session.agent(say("mine now"))

    async def freeze(args: dict[str, Any], context: ToolContext) -> str:
        session.expire()
        await second.prompt("what happened?")
        return "done"

    tools = (toy(kit, "act", freeze), toy(kit, "later"))
    first = session.agent(call(Ask("act"), Ask("later")), say("all done"), tools=tools)

    async def story() -> list[str]:
        found = []
        end = await first.prompt("go")
        if end.end_reason != "error" or "lease" not in end.error:
            found.append(f"a turn that lost its lease ended as {end.end_reason} ({end.error})")
        await second.close()
        left = len(session.events())
        await first.close()
        if (more := len(session.events()) - left) > 0:
            found.append(f"the first wrote {more} more events when it was closed")
        return found

    yield from play(story)
    if tools[1].runs:
        yield "a tool was started after the lease was lost"
    kinds = [type(event).__name__ for event in session.events()]
    if kinds.count("CallEnded") != 1 or kinds[-1] != "TurnEnded" or kinds.count("TurnEnded") != 2:
        yield f"whoever had lost the lease wrote on: {', '.join(kinds[-4:])}"


DRILL = Drill(
    name="lease-decides",
    claim="of two processes one works on a session; who lost the lease writes and starts no more",
    claims=("L14",),
    evidence="journal",
    run=run,
)
