"""The journal is ahead of the world: message, then start, then the work, then the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.kit.toys import SAFE
from faultloop.loop.events import CallEnded, CallStarted, MessageCommitted
from faultloop.loop.message import ResultMessage
from faultloop.loop.providers.port import ModelRequest
from faultloop.loop.tools.port import ToolContext


def run(kit: Kit) -> Iterator[str]:
    """Each tool looks into the journal while it runs; each request does before it is answered."""
    found: list[str] = []

    def body(args: dict[str, Any], context: ToolContext) -> str:
        messages = [event.message for event in session.of(MessageCommitted)]
        if not any(call.id == context.call_id for said in messages for call in said.calls):
            found.append(f"{context.call_id} ran before its message was in the journal")
        if context.attempt not in {event.attempt for event in session.of(CallStarted)}:
            found.append(f"{context.call_id} ran before its start was in the journal")
        return "done"

    def look(request: ModelRequest) -> None:
        ended = {event.call_id for event in session.of(CallEnded)}
        for message in request.messages:
            if isinstance(message, ResultMessage) and message.call_id not in ended:
                found.append(f"the model was told the result of {message.call_id} unrecorded")

    asks = (Ask("look"), Ask("look", '{"x":"a"}'), Ask("act"))
    session = Session(kit, call(*asks), say("ok"))
    session.tools = (toy(kit, "look", body, **SAFE), toy(kit, "act", body))
    session.model.witness = look

    async def story() -> None:
        await session.agent().prompt("go")

    play(story)
    yield from found
    ids = [event.message.id for event in session.of(MessageCommitted)]
    if len(ids) != len(set(ids)) or len(ids) != len(session.model.requests):
        yield f"{len(session.model.requests)} replies are in the journal as {len(ids)} messages"


DRILL = Drill(
    name="journal-is-ahead",
    claim="a message is recorded once before its calls, a start before the work, a result before "
    "the model is told",
    claims=("D1",),
    evidence="journal",
    run=run,
)
