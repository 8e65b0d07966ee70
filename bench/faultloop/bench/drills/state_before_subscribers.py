"""Who is told something finds it already true, is waited for, and hears nothing after the end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent
from faultloop.loop.landmarks import SILENT, Landmarks
from faultloop.loop.run_events import (
    AnyRunEvent,
    InputEntered,
    MessageEnded,
    ToolEnded,
    ToolStarted,
    TurnBegan,
    TurnOver,
    WentIdle,
)

AFTER_S = 60.0
"""Virtual seconds in which something could still follow the end."""


class _Slow:
    """Somebody who watches the journal, and takes his time."""

    async def reach(self, name: str, events: Sequence[AnyEvent] = ()) -> None:
        await asyncio.sleep(1)


def run(kit: Kit) -> Iterator[str]:
    """The same whether or not somebody holds the loop up around each append."""
    yield from _watched(kit, SILENT)
    yield from _watched(kit, _Slow())


def _watched(kit: Kit, landmarks: Landmarks) -> Iterator[str]:
    """A slow listener and a quick one, in this order; both look at the state."""
    session = Session(kit, call(Ask("act")), say("ok"), tools=[toy(kit, "act")])
    session.landmarks = landmarks
    found: list[str] = []
    order: list[tuple[str, int]] = []
    inside: list[str] = []

    async def slow(event: AnyRunEvent) -> None:
        if inside:
            found.append(f"{type(event).__name__} was told while {inside[0]} was")
        inside.append(type(event).__name__)
        if wrong := _untrue(agent, event):
            found.append(f"{type(event).__name__} was told before it was so: {wrong}")
        await asyncio.sleep(1)
        inside.clear()
        order.append(("slow", id(event)))

    def quick(event: AnyRunEvent) -> None:
        order.append(("quick", id(event)))
        session.heard.append(event)

    async def story() -> None:
        agent.subscribe(slow)
        agent.subscribe(quick)
        await agent.prompt("go")
        await asyncio.sleep(AFTER_S)

    agent = session.agent()
    play(story)
    yield from found[:3]
    pairs = [order[place : place + 2] for place in range(0, len(order), 2)]
    if any([who for who, _ in pair] != ["slow", "quick"] for pair in pairs):
        yield f"the subscribers were told in the order {[who for who, _ in order[:4]]}..."
    if not session.heard or not isinstance(session.heard[-1], WentIdle):
        last = type(session.heard[-1]).__name__ if session.heard else "nothing"
        yield f"the stream ended with {last}, so something followed the end event"


def _untrue(agent: Agent, event: AnyRunEvent) -> str:
    """What the state says that contradicts the event; empty if nothing does."""
    state = agent.state
    match event:
        case TurnBegan() if state.turn.number != event.turn or state.phase == "idle":
            return f"turn {state.turn.number} is {state.phase}"
        case InputEntered() if state.inbox.has(event.id):
            return f"input {event.id} is still queued"
        case MessageEnded() if event.message not in state.history:
            return "the message is not in the history"
        case ToolStarted() | ToolEnded():
            record = state.turn.record(event.call)
            wanted = {"started", "completed"} if isinstance(event, ToolStarted) else {"completed"}
            stage = "unknown" if record is None else record.stage
            return "" if stage in wanted or record is None else f"the call is {stage}"
        case TurnOver() if state.phase != "idle":
            return f"the session is {state.phase}"
        case _:
            return ""


DRILL = Drill(
    name="state-before-subscribers",
    claim="the state is updated first, subscribers are awaited in order, nothing follows the end",
    claims=("E2",),
    evidence="journal",
    run=run,
)
