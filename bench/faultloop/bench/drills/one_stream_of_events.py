"""One typed stream tells a run: permission before a start, and each fact of the journal once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.kit.toys import Gate
from faultloop.loop.checking import Permission
from faultloop.loop.contract import Contract
from faultloop.loop.events import AttemptStarted
from faultloop.loop.run_events import (
    AnyRunEvent,
    MessageDelta,
    PermissionAsked,
    ToolEnded,
    ToolStarted,
)

BEGUN, REPLIED = ("turn.started", "input.claimed", "message.delta"), ("usage", "message.ended")
DENIED = ("permission.asked", "permission.answered", "tool.ended")
RAN = (
    *("permission.asked", "permission.answered"),
    *("tool.started", "tool.progress", "tool.ended", "step.ended"),
)
OVER = ("message.delta", "usage", "message.ended", "step.ended", "turn.ended", "idle")

STREAMS: dict[str, list[str]] = {
    "whole_message": [*BEGUN, *REPLIED, *DENIED, *RAN, *OVER],
    "each_item": [*BEGUN, *DENIED, *REPLIED, *RAN, *OVER],
}
"""By when execution starts: a turn with two calls, of which the first is denied and the second
runs. Its reply takes a while after both; but that the last call is whole, only its end can tell."""

A_WHILE_S = 60.0
"""Virtual seconds in which a loop starts what it wants to start."""


def run(kit: Kit) -> Iterator[str]:
    """One call is denied and one permitted, and a listener writes everything down."""

    def body(args: dict[str, Any], context: Any) -> str:
        context.progress("half done")
        return "done"

    async def permit(contract: Contract, args: dict[str, Any]) -> Permission:
        return Permission(granted=contract.name == "act")

    gate = Gate()
    text, other, act, *end = call(Ask("other"), Ask("act"), text="Two calls.")
    session = Session(kit, [text, other, act, gate, *end], say("ok"))
    session.tools = (toy(kit, "other"), toy(kit, "act", body))

    async def story() -> None:
        driving = asyncio.create_task(session.listened(permit=permit).prompt("go"))
        await gate.reached.wait()
        await asyncio.sleep(A_WHILE_S)
        gate.open()
        await driving

    play(story)
    stream = STREAMS["each_item" if session.policy.starts_items else "whole_message"]
    if (told := [_name(event) for event in session.heard]) != stream:
        yield f"the run was told as {told}, not as {stream}"
    for place, event in enumerate(session.heard):
        if not isinstance(event, ToolStarted):
            continue
        before = session.heard[:place]
        if event.call not in {e.call for e in before if isinstance(e, PermissionAsked)}:
            yield f"tool.started of {event.tool} came before its permission was asked"
        if event.call in {e.call for e in before if isinstance(e, ToolEnded)}:
            yield f"{event.tool} was told as started after it was told as ended"
    attempts = {event.attempt for event in session.of(AttemptStarted)}
    shown = {event.attempt for event in session.heard if isinstance(event, MessageDelta)}
    if unknown := shown - attempts:
        yield f"deltas carry the attempts {sorted(unknown)}, which the journal does not know"


def _name(event: AnyRunEvent) -> str:
    return str(event.__struct_config__.tag)


DRILL = Drill(
    name="one-stream-of-events",
    claim="one typed stream tells a run in the journal's order, with permission before the start",
    claims=("E1",),
    evidence="journal",
    run=run,
)
