"""A loop that tells the model that a tool failed, and keeps to itself why."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.retelling import Closing, Retelling
from faultloop.loop.engine import Agent
from faultloop.loop.events import CallEnded
from faultloop.loop.state import State


class Discreet(Retelling):
    """Logs the reason elsewhere."""

    def retold(self, event: Closing, state: State) -> str:
        """A bare failure."""
        failed = isinstance(event, CallEnded) and event.outcome == "failed"
        return "Tool execution failed." if failed else event.result.content


class HidesTheReason(Agent):
    """Makes the model try again in the dark."""

    recording = Discreet


MUTANT = Mutant(
    name="hides-the-reason",
    does="tells the model that a tool failed without saying why",
    claims=("P9", "C4"),
    breaks=("answers_told",),
    agent=HidesTheReason,
    scenarios=("tool-raises", "failing-command-is-a-result", "failed-edit-beside-an-append"),
)
