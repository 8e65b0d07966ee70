"""A loop that takes an output in pieces for a failed call."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.retelling import Closing, Retelling
from faultloop.loop.engine import Agent
from faultloop.loop.events import CallEnded
from faultloop.loop.state import State


class AllOrNothing(Retelling):
    """Hands on nothing of what is not whole."""

    def retold(self, event: Closing, state: State) -> str:
        """A failure, where there is more to read."""
        is_part = isinstance(event, CallEnded) and '"truncated":true' in event.result.content
        return "Error: the tool was not executed." if is_part else event.result.content


class TakesAPartForAFailure(Agent):
    """Makes the model believe that nothing can be read."""

    recording = AllOrNothing


MUTANT = Mutant(
    name="takes-a-part-for-a-failure",
    does="tells the model that a call failed whose output comes in pieces",
    claims=("L1", "C4"),
    breaks=("answers_told",),
    agent=TakesAPartForAFailure,
    scenarios=("output-in-pieces", "one-call"),
)
