"""Whether calls may overlap is asked for their arguments, and only exactly True is a yes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill, Untested
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.tools.port import ToolContext


def answer(args: dict[str, Any]) -> object:
    """What the declaration says of these arguments."""
    x, _, _ = str(args.get("x")).partition(" ")
    if x == "raises":
        raise KeyError(x)
    return {"safe": True, "unsafe": False, "truthy": "yes", "one": 1, "silent": None}[x]


def run(kit: Kit) -> Iterator[str]:
    """Two calls that are answered for alike, for each answer that the declaration may give."""
    if not _overlap(kit, "safe"):
        raise Untested("not even calls that are declared safe run side by side")
    for x, said in SAID.items():
        if _overlap(kit, x):
            yield f"calls ran side by side although the declaration {said} for their arguments"


SAID = {
    "unsafe": "says False",
    "truthy": "says 'yes', which is not True,",
    "one": "says 1, which is not True,",
    "silent": "says nothing",
    "raises": "raises",
}


def _overlap(kit: Kit, x: str) -> bool:
    inside, most = [0], [0]

    async def body(args: dict[str, Any], context: ToolContext) -> str:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        await asyncio.sleep(1)
        inside[0] -= 1
        return "done"

    # Two different reads: the rest is refused by a guard against repeats, and put into a row by a
    # policy that lets only reads overlap.
    asks = [Ask("look", f'{{"x":"{x} {number}"}}') for number in (1, 2)]
    session = Session(kit, call(*asks), say("ok"))
    session.tools = (toy(kit, "look", body, read_only=True, concurrency_safe=answer),)

    async def story() -> None:
        await session.agent().prompt("go")

    play(story)
    return most[0] > 1


DRILL = Drill(
    name="safety-by-arguments",
    claim="calls overlap only where the declaration says exactly True for their arguments",
    claims=("C5", "S1"),
    evidence="journal",
    run=run,
)
