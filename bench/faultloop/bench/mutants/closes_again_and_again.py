"""A loop that writes down at every start that the last one was cut."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import CancelRequested, EndReason


class ClosesAgainAndAgain(Agent):
    """Cannot open a session without leaving a mark."""

    async def recovered(self) -> tuple[EndReason, ...]:
        """Recover, and note that somebody was here."""
        closed = await super().recovered()
        number = self.state.turn.number
        await self.recorder.record([CancelRequested(turn=number, cause="disposed")])
        return closed


MUTANT = Mutant(
    name="closes-again-and-again",
    does="writes into the journal at every start, though nothing is open",
    claims=("D7",),
    drills=("recovery-closes-turns",),
    agent=ClosesAgainAndAgain,
)
