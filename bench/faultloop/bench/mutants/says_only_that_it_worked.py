"""A loop that tells the model that a call worked, and keeps to itself what came of it."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.retelling import Closing, Retelling
from faultloop.loop.engine import Agent
from faultloop.loop.events import CallEnded
from faultloop.loop.state import State


class Terse(Retelling):
    """Has a result for each call, and nothing in it."""

    def retold(self, event: Closing, state: State) -> str:
        """A bare success."""
        succeeded = isinstance(event, CallEnded) and event.outcome == "ok"
        return "ok" if succeeded else event.result.content


class SaysOnlyThatItWorked(Agent):
    """Leaves the model to guess what it read."""

    recording = Terse


MUTANT = Mutant(
    name="says-only-that-it-worked",
    does="tells the model ok for each call that succeeded, whatever it brought",
    claims=("L1", "C4"),
    breaks=("answers_told",),
    agent=SaysOnlyThatItWorked,
    scenarios=("double-encoded", "deltas-that-are-null", "crash-while-opening"),
)
