"""Each change of model, system prompt or tools is in the journal before the request that has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.events import HeaderChanged, StepStarted
from faultloop.loop.header import Header
from faultloop.loop.run_events import AnyRunEvent, MessageEnded
from faultloop.loop.tools.port import ToolContext

CAUSES = ["input", "results", "steer", "input"]
"""Why each of the requests is made: a prompt, a tool's results, steering, the next prompt."""

CHANGED = [("model", "system", "tools"), ("tools",), ("system",)]
"""What each header in the journal has that the one before had not; in the first of them policy may
add its settings."""


def run(kit: Kit) -> Iterator[str]:
    """A tool is added by a call, the prompt changes before the next turn."""
    session = Session(
        kit, call(Ask("act")), say("one"), say("two"), say("three"), prompt_and_tools="assembled"
    )
    seen: list[Header | None] = []

    def body(args: dict[str, Any], context: ToolContext) -> str:
        agent.tools = agent.tools.plus(toy(kit, "new"))
        return "done"

    async def steer(event: AnyRunEvent) -> None:
        if isinstance(event, MessageEnded) and event.message.text == "one":
            await agent.steer("shorter")

    async def story() -> None:
        await agent.prompt("go")
        agent.offer.system = "You are careful."
        await agent.prompt("go on")

    session.tools = (toy(kit, "act", body),)
    session.model.witness = lambda request: seen.append(_last(session))
    agent = session.agent(system="You are quick.")
    agent.subscribe(steer)
    play(story)
    for place, (request, header) in enumerate(zip(session.model.requests, seen, strict=True), 1):
        names = tuple(tool["name"] for tool in request.tools)
        if header is None or (header.system, header.tools) != (request.system, names):
            yield f"request {place} offers {names} under {request.system!r}, the journal {header}"
    changed = [event.changed for event in session.of(HeaderChanged)]
    if [parts[:3] for parts in changed[:1]] + changed[1:] != CHANGED:
        yield f"the journal has changes of {changed}, but there were {CHANGED}"
    if (causes := [event.cause for event in session.of(StepStarted)]) != CAUSES:
        yield f"the requests have the causes {causes}, not {CAUSES}"


def _last(session: Session) -> Header | None:
    headers = [event.header for event in session.of(HeaderChanged)]
    return headers[-1] if headers else None


DRILL = Drill(
    name="headers-are-journalled",
    claim="what stands above a request is journalled where it changes, and why each was made",
    claims=("L16", "L15", "L7"),
    evidence="journal",
    run=run,
)
