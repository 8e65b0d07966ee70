"""A changed word, example or schema of a tool is a change of the interface, and is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.kit.toys import PARAMETERS, Toy
from faultloop.loop.events import HeaderChanged

CHANGES: dict[str, dict[str, Any]] = {
    "purpose": {"purpose": "another toy"},
    "when to use it": {"when": "there is nothing else to do"},
    "example": {"example": {"x": "y"}},
    "schema": {"parameters": {**PARAMETERS, "required": ["x"]}},
}
"""Parts of the model's face, and another value of each."""

UNSEEN: dict[str, dict[str, Any]] = {
    "risk": {"risk": "low"},
    "output budget": {"output_budget_bytes": 1_000},
}
"""Parts of the runtime's face, which the model never sees."""


def run(kit: Kit) -> Iterator[str]:
    """Between two turns one part of the only tool's contract changes, its name never."""
    for part, change in CHANGES.items():
        if _changes(kit, change) != [("tools",)]:
            yield f"another {part} of a tool is no change of the header in the journal"
    for part, change in UNSEEN.items():
        if _changes(kit, change):
            yield f"another {part} of a tool counts as a change of what the model sees"


def _changes(kit: Kit, change: dict[str, Any]) -> list[tuple[str, ...]]:
    old = toy(kit, "act")
    session = Session(kit, say("one"), say("two"), tools=[old])
    agent = session.agent()

    async def story() -> None:
        await agent.prompt("go")
        agent.tools = kit.registry([Toy(replace(old.contract, **change))])
        await agent.prompt("go on")

    play(story)
    # In the first request all is new.
    return [event.changed for event in session.of(HeaderChanged)][1:]


DRILL = Drill(
    name="wording-is-interface",
    claim="a change of a tool's wording, example or schema is noticed like a change of an API",
    claims=("C9", "L16"),
    evidence="journal",
    run=run,
)
