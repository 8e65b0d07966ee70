"""A loop that remembers that its goal is complete and records it when the turn is over."""

from __future__ import annotations

from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import EndReason, GoalPhase
from faultloop.loop.pursuing import Pursuing


class Procrastinating(Pursuing):
    """Has it in mind."""

    _meant: tuple[GoalPhase, str] | None = None

    async def put(self, phase: GoalPhase, reason: str = "", *, goal: str | None = None) -> None:
        """Remember it."""
        self._meant = (phase, reason)

    async def turn_over(self, end_reason: EndReason | None, fault: str) -> None:
        """Record it now, if the turn went well."""
        if self._meant is not None and end_reason == "completed":
            await super().put(*self._meant)
        self._meant = None
        await super().turn_over(end_reason, fault)


class CompletesLater(Agent):
    """Revives a goal whose closing message fails."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.pursuing = Procrastinating(self.recorder)


MUTANT = Mutant(
    name="completes-later",
    does="records that a goal is complete only when the turn has ended well",
    claims=("G3",),
    drills=("completing-is-durable-first",),
    agent=CompletesLater,
)
