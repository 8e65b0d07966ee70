"""Each try has its own id and end; what a failed one said is shown, and never said again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, Line, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.kit.toys import SAFE
from faultloop.loop.events import AttemptEnded, AttemptStarted, MessageCommitted
from faultloop.loop.message import AssistantMessage
from faultloop.loop.providers.port import ProviderFailure, TextDelta
from faultloop.loop.run_events import AttemptFailed, MessageDelta
from faultloop.loop.tools.port import ToolContext, ToolResult

LOST = "half a thought"
STATES = ["failed", "completed", "failed", "completed", "completed"]
"""Of the tries in their order: the model's, twice; the read's, twice; the model's."""


def run(kit: Kit) -> Iterator[str]:
    """A stream breaks off after some text; then a read fails once in a way that may be retried."""

    def body(args: dict[str, Any], context: ToolContext) -> ToolResult | str:
        if len(look.runs) > 1:
            return "found"
        return ToolResult(outcome="failed", content="busy", code="BUSY", retryable=True)

    broken: Line = [TextDelta(LOST), ProviderFailure("broken", "the connection was reset")]
    session = Session(kit, broken, call(Ask("look"), text="I look."), say("ok"))
    look = toy(kit, "look", body, **SAFE)
    session.tools = (look,)

    async def story() -> None:
        await session.listened().prompt("go")

    play(story)
    yield from _ids(session)
    yield from _text(session)
    contexts = [context.attempt for context in look.contexts]
    if len(set(contexts)) != len(contexts):
        yield f"two tries of a tool were told the same attempt: {contexts}"


def _ids(session: Session) -> Iterator[str]:
    begun = [event.attempt for event in session.of(AttemptStarted)]
    if again := [name for name, number in Counter(begun).items() if number > 1]:
        yield f"the attempts {again} were begun more than once"
    if same := set(begun) & {str(event.turn) for event in session.of(AttemptStarted)}:
        yield f"the attempts {sorted(same)} have a turn's id"
    ends = session.of(AttemptEnded)
    if sorted(event.attempt for event in ends) != sorted(begun):
        yield f"of the attempts {begun}, ended are {[event.attempt for event in ends]}"
    if (states := [event.state for event in ends]) != STATES:
        yield f"the attempts ended as {states}, not as {STATES}"


def _text(session: Session) -> Iterator[str]:
    deltas = {e.attempt for e in session.heard if isinstance(e, MessageDelta) and e.text == LOST}
    failed = {event.attempt for event in session.heard if isinstance(event, AttemptFailed)}
    if not deltas or not deltas <= failed:
        yield f"text of the attempts {sorted(deltas)} was shown, failed are {sorted(failed)}"
    for event in session.of(MessageCommitted):
        if LOST in event.message.text:
            yield f"the text of a failed attempt was committed: {event.message.text!r}"
    for place in range(len(session.model.requests)):
        if any(LOST in text for text in session.model.texts(AssistantMessage, place)):
            yield f"request {place + 1} says the text of a failed attempt again"


DRILL = Drill(
    name="attempts-have-ids",
    claim="each try has its own id and end, and the text of a failed one enters no message",
    claims=("D5",),
    evidence="journal",
    run=run,
)
