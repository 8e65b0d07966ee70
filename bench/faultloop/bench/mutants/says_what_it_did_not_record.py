"""A loop whose requests hold a sentence that its journal does not know."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import Message, Notice


class SaysWhatItDidNotRecord(Agent):
    """Reminds the model of where it is, each time."""

    def messages(self) -> tuple[Message, ...]:
        """The conversation, and a reminder."""
        return (*super().messages(), Notice(text=f"This is step {self.state.turn.step}."))


MUTANT = Mutant(
    name="says-what-it-did-not-record",
    does="tells the model what its journal does not hold",
    claims=("D10",),
    drills=("replay-is-exact",),
    agent=SaysWhatItDidNotRecord,
)
