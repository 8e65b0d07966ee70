"""A claim takes all steering, one prompt at a turn's beginning, and says so of each."""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.loop.events import InputClaimed
from faultloop.loop.run_events import InputEntered, TurnBegan

TURNS = [["s1", "s2", "p1"], ["p2"], ["p3"]]
"""What each of the turns claims."""


def run(kit: Kit) -> Iterator[str]:
    """Three prompts and two pieces of steering wait when the loop is woken."""
    session = Session(kit, *(say(str(number)) for number in range(5)))

    async def story() -> None:
        agent = session.listened()
        await agent.open()
        for name in ("s1", "s2"):
            await agent.inject(name, source="user", lane="next_step", input_id=name)
        for name in ("p1", "p2"):
            await agent.inject(name, source="user", lane="next_turn", input_id=name)
        await agent.follow_up("p3", input_id="p3")
        await agent.idle()
        # What never woke the loop by itself is taken along where turns follow each other.
        await agent.resume()

    play(story)
    by_turn: dict[int, list[str]] = {}
    for event in session.of(InputClaimed):
        by_turn.setdefault(event.turn, []).append(event.id)
    if list(by_turn.values()) != TURNS:
        yield f"the turns claimed {list(by_turn.values())}, not {TURNS}"
    told: list[list[str]] = []
    for heard in session.heard:
        match heard:
            case TurnBegan():
                told.append([])
            case InputEntered(id=name):
                told[-1].append(name)
            case _:
                pass
    if told != list(by_turn.values()):
        yield f"consumers were told of the claims {told}, the journal has {by_turn}"


DRILL = Drill(
    name="claims-are-noticed",
    claim="a claim takes all of next_step and one next_turn where a turn begins, with notice",
    claims=("I3",),
    evidence="journal",
    run=run,
)
