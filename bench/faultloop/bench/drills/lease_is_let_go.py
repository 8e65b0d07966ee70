"""A lease is let go of when the caller has gone, after an internal fault, and on close."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

from faultloop.bench.drills.kit.drill import Drill, Untested
from faultloop.bench.drills.kit.model import Line, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import play
from faultloop.bench.drills.kit.shared import Shared, shared
from faultloop.bench.drills.kit.toys import Gate
from faultloop.loop.engine import Agent
from faultloop.loop.lease.port import LeaseHeld

Leaving = Callable[[Agent, Gate], Awaitable[None]]


async def _caller_goes(agent: Agent, gate: Gate) -> None:
    prompting = asyncio.ensure_future(agent.prompt("go"))
    await gate.reached.wait()
    prompting.cancel()
    await asyncio.wait([prompting], timeout=60)
    if not prompting.cancelled():
        raise Untested("the caller could not be cancelled")


async def _fault(agent: Agent, gate: Gate) -> None:
    gate.open()
    if (end := await agent.prompt("go")).end_reason != "error":
        raise Untested(f"a bug in the client ended the turn as {end.end_reason}")


async def _close(agent: Agent, gate: Gate) -> None:
    gate.open()
    await agent.prompt("go")
    await agent.close()


WAYS: dict[str, tuple[Leaving, tuple[Exception, ...]]] = {
    "its caller had gone": (_caller_goes, ()),
    "an internal fault": (_fault, (KeyError("a bug in the client"),)),
    "it was closed": (_close, ()),
}
"""How a process comes to let go, and what its model does."""


def run(kit: Kit) -> Iterator[str]:
    """Each way for each store; then another process wants the session."""
    for why, (leave, trouble) in WAYS.items():
        with shared(kit) as sessions:
            for session in sessions:
                yield from _left(session, why, leave, trouble)


def _left(
    session: Shared, why: str, leave: Leaving, trouble: tuple[Exception, ...]
) -> Iterator[str]:
    gate = Gate()
    line: Line = say("one", gate, *trouble)
    first, second = session.agent(line), session.agent(say("mine"))

    async def story() -> list[str]:
        await leave(first, gate)
        found = []
        try:
            if (end := await second.prompt("mine")).text != "mine":
                found.append(f"after {why}, another process's turn ended as {end.end_reason}")
        except LeaseHeld as held:
            found.append(f"after {why}, the lease was still held: {held}")
        await second.close()
        await first.close()
        return found

    yield from play(story)


DRILL = Drill(
    name="lease-is-let-go",
    claim="a lease is let go of when the caller has gone, after an internal fault, and on close",
    claims=("X8", "L3"),
    evidence="journal",
    run=run,
)
