"""A loop that cannot be cancelled while a question is open."""

from __future__ import annotations

import asyncio

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


class Stubborn(Executing):
    """Wants an answer."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """The check under a signal of its own, which nobody fires."""
        return await asyncio.shield(super().check(record, StopSignal()))


class WaitsForItsAnswer(Agent):
    """Keeps the question open, whoever cancels."""

    executing = Stubborn


MUTANT = Mutant(
    name="waits-for-its-answer",
    does="leaves a question pending when it is cancelled",
    claims=("P10", "X1"),
    drills=("approvals-are-cleared",),
    agent=WaitsForItsAnswer,
)
