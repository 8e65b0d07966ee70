"""Waiting for idle waits for all of it: a run that began meanwhile, and who listens to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.bench.drills.kit.toys import Gate
from faultloop.loop.events import TurnEnded
from faultloop.loop.run_events import AnyRunEvent, WentIdle

SEEDS = range(1, 13)
"""Orders in which the second prompt and whoever waits come to run."""


def run(kit: Kit) -> Iterator[str]:
    """A slow listener at the end of the only run; then, in many orders, a run that follows it."""
    yield from _listener(kit)
    for seed in SEEDS:
        yield from _meanwhile(kit, seed)


def _listener(kit: Kit) -> Iterator[str]:
    session, slow = Session(kit, say("one")), Gate()
    agent = session.agent()

    async def listen(event: AnyRunEvent) -> None:
        if isinstance(event, WentIdle):
            await slow.passed()

    async def story() -> list[str]:
        agent.subscribe(listen)
        turn = asyncio.ensure_future(agent.prompt("go"))
        waiting = asyncio.ensure_future(agent.idle())
        await slow.reached.wait()
        await asyncio.sleep(1)  # virtual: everybody who could run has run
        early = [name for name, task in (("prompt", turn), ("idle", waiting)) if task.done()]
        found = [f"{name}() returned while a subscriber was being told the end" for name in early]
        if not agent.running:
            found.append("the status was idle while a subscriber was being told the end")
        slow.open()
        await waiting
        await turn
        return found

    yield from play(story)


def _meanwhile(kit: Kit, seed: int) -> Iterator[str]:
    session = Session(kit, say("one"), say("two"), second_prompt="queue")
    agent, second = session.agent(), list[asyncio.Task[object]]()

    def listen(event: AnyRunEvent) -> None:
        if isinstance(event, WentIdle) and not second:
            second.append(asyncio.ensure_future(agent.prompt("and then?")))

    async def story() -> list[str]:
        agent.subscribe(listen)
        first = asyncio.ensure_future(agent.prompt("go"))
        while not agent.running:
            await asyncio.sleep(0)
        await agent.idle()
        seen = [f"idle() returned while the loop ran (seed {seed})"] if agent.running else []
        await first
        await asyncio.gather(*second)
        if (turns := len(session.of(TurnEnded))) != 2:
            seen.append(f"a prompt at the end of a run: {turns} turns were ended, not 2")
        return seen

    yield from play(story, seed=seed)


DRILL = Drill(
    name="idle-waits",
    claim="waiting for idle waits for a run that began meanwhile and for who listens to the end",
    claims=("L9",),
    evidence="journal",
    run=run,
)
