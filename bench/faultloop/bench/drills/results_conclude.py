"""A result may propose to conclude: by policy, where its contract allows, and at nobody's cost."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.events import CallEnded, StepStarted, TurnEnded
from faultloop.loop.tools.port import ToolContext, ToolResult

END, ACT, SAYS = Ask("end"), Ask("act"), Ask("says")
"""One that may conclude and does, one that does not, one that does and may not."""

OTHER = Ask("end", '{"x":"other"}')
"""The first with other arguments: a guard against repeats would refuse the very same again."""

TABLE: dict[tuple[Ask, ...], dict[str, int]] = {
    (END,): {"any": 1, "all": 1},
    (END, OTHER): {"any": 1, "all": 1},
    (END, ACT): {"any": 1, "all": 2},
    (ACT,): {"any": 2, "all": 2},
    (SAYS,): {"any": 2, "all": 2},
}
"""By batch and policy: requests until the turn is over; 1: the model is not asked again."""


def run(kit: Kit) -> Iterator[str]:
    """Every batch under both policies; then one that concludes while input waits."""
    for batch, row in TABLE.items():
        for policy, expected in row.items():
            session = Session(kit, call(*batch), say("more"), conclude=policy)
            session.tools = tuple(toy(kit, ask.tool, **_declared(ask)) for ask in (END, ACT, SAYS))
            for tool in session.tools:
                tool.body = partial(_result, tool.contract.name)
            play(partial(session.agent().prompt, "go"))
            names = ", ".join(ask.tool for ask in batch)
            if (requests := len(session.model.requests)) != expected:
                yield f"under {policy}, [{names}] took {requests} requests, not {expected}"
            if (ended := len(session.of(CallEnded))) != len(batch):
                yield f"under {policy}, {ended} of the calls [{names}] were ended"
            if (ends := [event.end_reason for event in session.of(TurnEnded)]) != ["completed"]:
                yield f"under {policy}, [{names}] ended the turn as {ends}"
    yield from _waiting(kit)


def _declared(ask: Ask) -> dict[str, Any]:
    return {"concludes": ask is END}


def _result(name: str, args: dict[str, Any], context: ToolContext) -> ToolResult:
    return ToolResult(outcome="ok", content="that is all", concludes=name != "act")


def _waiting(kit: Kit) -> Iterator[str]:
    async def body(args: dict[str, Any], context: ToolContext) -> ToolResult:
        await agent.steer("one more thing")
        await agent.follow_up("later")
        return _result("end", args, context)

    session = Session(kit, call(END), say("that too"), say("and that"))
    session.tools = (toy(kit, "end", body, concludes=True),)
    agent = session.agent()
    play(partial(agent.prompt, "go"))
    if (causes := [event.cause for event in session.of(StepStarted)]) != CAUSES:
        yield f"a result concluded while input waited; the steps were for {causes}, not {CAUSES}"


CAUSES = ["input", "steer", "follow_up"]

DRILL = Drill(
    name="results-conclude",
    claim="a result that may conclude spares the model a revisit by policy, and costs no sibling"
    " and no queued input",
    claims=("L8",),
    evidence="journal",
    run=run,
)
