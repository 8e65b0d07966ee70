"""A caller that stops waiting takes its turn along; a listener that leaves or breaks does not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from faultloop.bench.drills.kit.drill import Drill, Untested
from faultloop.bench.drills.kit.model import say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.bench.drills.kit.toys import Gate
from faultloop.loop.engine import Agent
from faultloop.loop.events import CancelRequested, TurnEnded
from faultloop.loop.run_events import AnyRunEvent, MessageDelta


def run(kit: Kit) -> Iterator[str]:
    """The task that prompted is cancelled in the middle of a stream; then listeners go away."""
    yield from _abandoned(kit)
    for name in ("leaves", "raises", "is cancelled"):
        yield from _unheard(kit, name)


def _abandoned(kit: Kit) -> Iterator[str]:
    gate = Gate()
    session = Session(kit, say("one", gate), say("two"))

    async def story() -> list[str]:
        agent = session.agent()
        prompting = asyncio.ensure_future(agent.prompt("go"))
        await gate.reached.wait()
        prompting.cancel()
        await asyncio.wait([prompting], timeout=60)
        if not prompting.cancelled():
            raise Untested("the caller could not be cancelled")
        found = ["the turn ran on after its caller had gone"] if agent.running else []
        gate.open()
        await agent.idle()
        after = await agent.prompt("again")
        if after.end_reason != "completed":
            found.append(f"the next prompt ended as {after.end_reason}")
        return found

    yield from play(story)
    ends = [event.end_reason for event in session.of(TurnEnded)]
    if ends[:1] != ["aborted"]:
        yield f"the abandoned turn ended as {ends[:1]}"
    causes = [event.cause for event in session.of(CancelRequested)]
    if causes != ["disposed"]:
        yield f"the journal says that it was cancelled by {causes}, not that it was disposed of"
    if session.model.closed < len(session.model.requests):
        yield "the stream of the abandoned turn was never let go of"


def _unheard(kit: Kit, how: str) -> Iterator[str]:
    session = Session(kit, say("one"))

    def gone(agent: Agent) -> Callable[[AnyRunEvent], None]:
        def listen(event: AnyRunEvent) -> None:
            if not isinstance(event, MessageDelta):
                return
            if how == "leaves":
                leave()
            elif how == "raises":
                raise RuntimeError("the terminal is gone")
            else:
                raise asyncio.CancelledError

        leave = agent.subscribe(listen)
        return listen

    async def story() -> str:
        agent = session.agent()
        gone(agent)
        return (await agent.prompt("go")).end_reason

    if (end := play(story)) != "completed":
        yield f"a listener that {how} made the turn end as {end}"


DRILL = Drill(
    name="nobody-listens",
    claim="a caller that stops waiting leaves no turn running; a lost listener ends none",
    claims=("X8",),
    evidence="journal",
    run=run,
)
