"""Tools live in a registry: listed, looked up by name, shut for a session, added at run time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.kit.toys import Toy
from faultloop.loop.tools.port import ToolContext

ASKS = ("shut", "new", "gone")
OFFERED = [("act", "gone"), ("act", "new")]
"""Before act has changed the tools, and from then on."""
RUNS = {"act": 1, "shut": 0, "new": 1, "gone": 0}
"""What may run of act, which changes the tools, a shut one, a new one and one that was removed."""


def run(kit: Kit) -> Iterator[str]:
    """A call adds one tool and removes another; then the model calls all that there ever were.

    It does so in the same run, where policy lets tools change within one; and, under any policy, in
    the run after it.
    """
    yield from _changed(kit, ["go"], prompt_and_tools="assembled")
    yield from _changed(kit, ["go", "go on"])


def _changed(kit: Kit, prompts: list[str], **knobs: Any) -> Iterator[str]:
    def body(args: dict[str, Any], context: ToolContext) -> str:
        agent.tools = kit.registry([tools["act"], tools["shut"]]).only(["act"]).plus(tools["new"])
        return "done"

    tools: dict[str, Toy] = {name: toy(kit, name) for name in ASKS}
    tools["act"] = toy(kit, "act", body)
    between = [say("changed") for _ in prompts[1:]]
    lines = [call(Ask("act")), *between, *(call(Ask(name)) for name in ASKS), say("ok")]
    session = Session(kit, *lines, **knobs)
    session.tools = (tools["act"], tools["shut"], tools["gone"])

    async def story() -> None:
        agent.tools = agent.tools.only(["act", "gone"])
        for prompt in prompts:
            await agent.prompt(prompt)

    agent = session.agent()
    play(story)
    where = "in the next run" if between else "in the same run"
    offered = [tuple(face["name"] for face in one.tools) for one in session.model.requests]
    before, after = OFFERED
    if offered[0] != before or set(offered[1 + len(between) :]) != {after}:
        yield f"the requests offered {offered}, the registry had {before} and {where} {after}"
    runs = {name: len(tool.runs) for name, tool in tools.items()}
    if runs != RUNS:
        yield f"{where} the tools ran {runs}, not {RUNS}"
    shut, _, gone = session.model.told()[1:4]
    if "cannot be called directly" not in shut:
        yield f"{where} a tool that is shut was answered {shut!r}"
    if "There is no tool called gone" not in gone:
        yield f"{where} a tool that was removed was answered {gone!r}"


DRILL = Drill(
    name="registry-is-asked",
    claim="the registry alone says which tools there are, also where it changes at run time",
    claims=("C10", "P6"),
    evidence="journal",
    run=run,
)
