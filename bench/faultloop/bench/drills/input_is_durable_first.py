"""What a request says that the user said is in the journal before the model is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.events import InputClaimed, InputQueued
from faultloop.loop.message import UserMessage
from faultloop.loop.providers.port import ModelRequest
from faultloop.loop.tools.port import ToolContext


def run(kit: Kit) -> Iterator[str]:
    """A prompt and steering; at each request, and where each input is acknowledged, look."""
    found: list[str] = []
    session = Session(kit, call(Ask("act")), say("ok"))

    async def body(args: dict[str, Any], context: ToolContext) -> str:
        taken = await agent.steer("shorter")
        if taken not in {event.id for event in session.of(InputQueued)}:
            found.append(f"input {taken} was acknowledged before it was in the journal")
        return "done"

    def look(request: ModelRequest) -> None:
        recorded = {event.id for event in session.of(InputClaimed)}
        for message in request.messages:
            if isinstance(message, UserMessage) and message.id not in recorded:
                found.append(f"the model was asked {message.text!r} before the journal had it")

    async def story() -> None:
        await agent.prompt("go")

    session.tools = (toy(kit, "act", body),)
    session.model.witness = look
    agent = session.agent()
    play(story)
    yield from found


DRILL = Drill(
    name="input-is-durable-first",
    claim="input is in the journal before it is acknowledged and before the model is asked",
    claims=("L15", "I2"),
    evidence="journal",
    run=run,
)
