"""Frozen: the system prompt is the session's first, a run keeps the tools that it started with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.events import CallNotExecuted
from faultloop.loop.tools.port import ToolContext

ASKS = [Ask("act"), Ask("new")]
"""In each turn: a call that adds the tool, then one of the tool that was added."""


def run(kit: Kit) -> Iterator[str]:
    """A tool and another prompt come in the middle of the first of two runs."""
    lines = [call(ASKS[0]), call(ASKS[1]), say("one"), call(ASKS[1]), say("two")]
    session = Session(kit, *lines, prompt_and_tools="frozen")
    new = toy(kit, "new")

    def body(args: dict[str, Any], context: ToolContext) -> str:
        agent.tools = agent.tools.plus(new)
        agent.offer.system = "Be bold."
        return "done"

    async def story() -> None:
        await agent.prompt("go")
        await agent.prompt("go on")

    session.tools = (toy(kit, "act", body),)
    agent = session.agent(system="Be careful.")
    play(story)
    offered = [tuple(tool["name"] for tool in one.tools) for one in session.model.requests]
    expected = [("act",)] * 3 + [("act", "new")] * 2
    if offered != expected:
        yield f"a frozen run offered {offered}, though tools may change only between runs"
    systems = {one.system for one in session.model.requests}
    if systems != {"Be careful."}:
        yield f"the frozen prompt of the session became {sorted(systems)}"
    refused = [event.code for event in session.of(CallNotExecuted)]
    if (refused, len(new.runs)) != (["UNKNOWN_TOOL"], 1):
        yield f"a tool of the next run was called in this one: {len(new.runs)} runs of it"


DRILL = Drill(
    name="frozen-stays-frozen",
    claim="under the policy frozen a run keeps its tools and the session its first system prompt",
    claims=("L15",),
    evidence="journal",
    run=run,
)
