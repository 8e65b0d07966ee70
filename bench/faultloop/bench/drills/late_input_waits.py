"""Input that comes while an aborted run winds down belongs to the next turn."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.kit.toys import Gate
from faultloop.loop.events import InputClaimed, InputDiscarded, TurnEnded
from faultloop.loop.tools.port import ToolContext


def run(kit: Kit) -> Iterator[str]:
    """A tool that cannot be stopped is waited for; meanwhile the user steers and follows up."""
    gate = Gate()

    async def body(args: dict[str, Any], context: ToolContext) -> str:
        await gate.passed()
        return "done"

    session = Session(kit, call(Ask("act")), say("ok"), say("ok"), tools=[toy(kit, "act", body)])

    async def story() -> None:
        turn = asyncio.ensure_future(agent.prompt("go"))
        await gate.reached.wait()
        agent.cancel()
        await agent.steer("late", input_id="late")
        await agent.follow_up("later", input_id="later")
        gate.open()
        await turn
        await agent.idle()

    agent = session.agent()
    play(story)
    if dropped := [event.id for event in session.of(InputDiscarded)]:
        yield f"input that came after the cancel was discarded with it: {dropped}"
    claimed = Counter(event.id for event in session.of(InputClaimed))
    for name in ("late", "later"):
        if claimed[name] != 1:
            yield f"input {name!r} was claimed {claimed[name]} times"
    moved = [event.id for event in session.of(InputClaimed) if event.turn == 1]
    if moved != ["session/input/1"]:
        yield f"the aborted turn claimed {moved[1:]}, which came after its cancel"
    ends = [event.end_reason for event in session.of(TurnEnded)]
    if ends != ["aborted", "completed"]:
        yield f"the turns ended as {ends}, not as aborted, then completed"


DRILL = Drill(
    name="late-input-waits",
    claim="input that comes while an aborted run winds down enters the next turn, and only once",
    claims=("X6", "I4"),
    evidence="journal",
    run=run,
)
