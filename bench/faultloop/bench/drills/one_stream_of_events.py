"""One typed stream tells a run: permission before a start, and each fact of the journal once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
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

STREAM = [
    *("turn.started", "input.claimed"),
    *("message.delta", "usage", "message.ended"),
    *("permission.asked", "tool.ended"),
    *("permission.asked", "tool.started", "tool.progress", "tool.ended", "step.ended"),
    *("message.delta", "usage", "message.ended", "step.ended"),
    *("turn.ended", "idle"),
]
"""A turn with two calls, of which the first is denied and the second runs."""


def run(kit: Kit) -> Iterator[str]:
    """One call is denied and one permitted, and a listener writes everything down."""

    def body(args: dict[str, Any], context: Any) -> str:
        context.progress("half done")
        return "done"

    async def permit(contract: Contract, args: dict[str, Any]) -> Permission:
        return Permission(granted=contract.name == "act")

    session = Session(kit, call(Ask("other"), Ask("act"), text="Two calls."), say("ok"))
    session.tools = (toy(kit, "other"), toy(kit, "act", body))

    async def story() -> None:
        await session.listened(permit=permit).prompt("go")

    play(story)
    if (told := [_name(event) for event in session.heard]) != STREAM:
        yield f"the run was told as {told}, not as {STREAM}"
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
