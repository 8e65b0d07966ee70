"""Of several cancels the first one counts, and who it was is an event of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.events import CancelRequested, TurnEnded
from faultloop.loop.tools.port import ToolContext


def run(kit: Kit) -> Iterator[str]:
    """A hook stops the turn for a reason; then the user and the host do, too."""

    async def body(args: dict[str, Any], context: ToolContext) -> str:
        agent.cancel("hook", "spending limit")
        agent.cancel("user")
        await agent.inject("stop!", source="user", lane="interrupt")
        agent.cancel("disposed")
        return "done"

    session = Session(kit, call(Ask("act")), say("ok"))
    session.tools = (toy(kit, "act", body),)

    async def story() -> None:
        await agent.prompt("go")

    agent = session.agent()
    play(story)
    said = [(event.cause, event.reason) for event in session.of(CancelRequested)]
    if said != [("hook", "spending limit")]:
        yield f"the journal says who cancelled as {said}, but the first was a hook (spending limit)"
    ends = [event.end_reason for event in session.of(TurnEnded)]
    if ends != ["aborted"]:
        yield f"the cancelled turn ended as {ends}"


DRILL = Drill(
    name="first-cause-wins",
    claim="the first of several cancels counts, and who cancelled is a durable event of its own",
    claims=("X4",),
    evidence="journal",
    run=run,
)
