"""What was queued before a cancel is dropped with notice, or by policy kept and quiet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.events import CancelRequested, InputDiscarded, TurnEnded
from faultloop.loop.run_events import InputDropped
from faultloop.loop.tools.port import ToolContext


def run(kit: Kit) -> Iterator[str]:
    """Steering and a follow-up wait when the cancel comes; then the user prompts again."""
    dropping = _cancelled(kit, "discard")
    in_journal = {event.id for event in dropping.of(InputDiscarded)}
    told = {event.id for event in dropping.heard if isinstance(event, InputDropped)}
    if in_journal != {"steer", "later"}:
        yield f"of the queued steer and later, the journal has as discarded {sorted(in_journal)}"
    if told != {"steer", "later"}:
        yield f"input was dropped, and consumers were told of {sorted(told)} only"
    yield from _heard(dropping, ["go", "again"], turns=2)
    keeping = _cancelled(kit, "keep")
    if keeping.of(InputDiscarded):
        yield "input was discarded that policy keeps"
    kept = [name for event in keeping.of(CancelRequested) for name in event.kept]
    if sorted(kept) != ["later", "steer"]:
        yield f"the cancel's event names {kept} as kept"
    # steering enters with the prompt; of the two for `next_turn` one enters a turn
    yield from _heard(keeping, ["go", "steer", "later", "again"], turns=3)


def _cancelled(kit: Kit, policy: str) -> Session:
    async def body(args: dict[str, Any], context: ToolContext) -> str:
        await agent.steer("steer", input_id="steer")
        await agent.follow_up("later", input_id="later")
        agent.cancel()
        return "done"

    session = Session(kit, call(Ask("act")), say("ok"), say("ok"), queue_on_cancel=policy)
    session.tools = (toy(kit, "act", body),)

    async def story() -> None:
        await agent.prompt("go")
        await agent.prompt("again")

    agent = session.listened()
    play(story)
    return session


def _heard(session: Session, texts: list[str], *, turns: int) -> Iterator[str]:
    policy = session.policy.queue_on_cancel
    if (said := session.model.said()) != texts:
        yield f"under the policy {policy} the model heard {said} in the end, not {texts}"
    if (ended := len(session.of(TurnEnded))) != turns:
        yield f"under the policy {policy} there were {ended} turns, not {turns}"


DRILL = Drill(
    name="cancel-and-the-queue",
    claim="a cancel drops queued input with notice, or keeps it without letting it wake the loop",
    claims=("X4", "I3"),
    evidence="journal",
    run=run,
)
