"""From the journal alone comes the same conversation, byte for byte, at each of its requests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec

from faultloop.bench.drills.kit.drill import Drill, Untested
from faultloop.bench.drills.kit.model import Ask, Line, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.kit.toys import SAFE
from faultloop.loop.events import StepStarted
from faultloop.loop.message import Message
from faultloop.loop.providers.port import ProviderFailure, TextDelta
from faultloop.loop.state import State
from faultloop.loop.tools.port import ToolContext
from faultloop.loop.view import view

SHOWN = 60
"""Characters of a difference that a finding quotes."""

_encode = msgspec.json.Encoder(order="deterministic").encode


def run(kit: Kit) -> Iterator[str]:
    """A session with all sorts of things in it: repairs, failures, steering, cancel, restart."""
    session = _lived(kit)
    events = session.events
    steps = [place for place, event in enumerate(events) if isinstance(event, StepStarted)]
    asked = _asked(session)
    if len(asked) != len(steps):
        raise Untested(f"{len(steps)} steps made {len(asked)} different requests")
    for number, (place, messages) in enumerate(zip(steps, asked, strict=True), 1):
        said = _bytes(view(kit.replay(events[: place + 1])))
        if said != (sent := _bytes(messages)):
            at = _common(said, sent)
            told = f"{said[at : at + SHOWN]!r}, but sent was {sent[at : at + SHOWN]!r}"
            yield f"request {number} replays from its character {at} on as {told}"
    first, second = kit.replay(events), kit.replay(session.events)
    if _whole(first) != _whole(second):
        yield "two replays of one journal give two states"
    if _whole(first) != _whole(session.last.state):
        yield "the replayed state is not the one that the loop was in"


class _Lived(Session):
    """A session whose last agent can be looked at."""

    last: Any


def _lived(kit: Kit) -> _Lived:
    async def act(args: dict[str, Any], context: ToolContext) -> str:
        if len(tools[1].runs) == 1:
            await agents[-1].steer("shorter")
        else:
            agents[-1].cancel()
        return "done"

    broken: Line = [TextDelta("half"), ProviderFailure("broken", "reset")]
    lines = (
        call(Ask("look", '"{\\"x\\":\\"é\\"}"'), Ask("act"), Ask("nobody")),
        broken,
        call(Ask("act", '{"x":"again"}'), Ask("look"), text="Now."),
        say("ok"),
    )
    session = _Lived(kit, *lines)
    tools = (toy(kit, "look", **SAFE), toy(kit, "act", act))
    session.tools = tools
    agents = [session.agent(system="Be careful.")]

    async def story() -> None:
        await agents[-1].prompt("go")
        await agents[-1].follow_up("and then?")
        await agents[-1].idle()
        agents.append(session.agent(system="Be careful."))
        await agents[-1].prompt("after a restart")
        await asyncio.sleep(0)

    play(story)
    session.last = agents[-1]
    return session


def _asked(session: Session) -> list[tuple[Message, ...]]:
    """The requests without those that were only tried again."""
    asked: list[tuple[Message, ...]] = []
    for request in session.model.requests:
        if not asked or asked[-1] != request.messages:
            asked.append(request.messages)
    return asked


def _common(said: str, sent: str) -> int:
    """How many characters the two have in common at their beginning."""
    pairs = enumerate(zip(said, sent, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(said), len(sent)))


def _bytes(messages: tuple[Message, ...]) -> str:
    return _encode(messages).decode()


def _whole(state: State) -> bytes:
    return _encode([state.history, state.turn, state.header, state.inbox.items, state.phase])


DRILL = Drill(
    name="replay-is-exact",
    claim="replaying the journal rebuilds each request's messages byte for byte, and the state",
    claims=("D10", "D5"),
    evidence="journal",
    run=run,
)
