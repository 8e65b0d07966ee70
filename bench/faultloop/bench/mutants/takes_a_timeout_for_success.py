"""A loop that hopes for the best: a call whose answer was lost was surely made."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.retelling import Closing, Retelling
from faultloop.loop.engine import Agent
from faultloop.loop.events import CallEnded
from faultloop.loop.state import State


class Hoping(Retelling):
    """Turns `unknown` into a success."""

    def retold(self, event: Closing, state: State) -> str:
        """Good news."""
        unknown = isinstance(event, CallEnded) and event.outcome == "unknown"
        return "Success: the call was completed." if unknown else event.result.content


class TakesATimeoutForSuccess(Agent):
    """Reports a pull request that was never opened."""

    recording = Hoping


MUTANT = Mutant(
    name="takes-a-timeout-for-success",
    does="tells the model that a call of unknown outcome has succeeded",
    claims=("D2", "D4"),
    breaks=("unknown_outcome_told", "end_acceptable"),
    agent=TakesATimeoutForSuccess,
    scenarios=("pull-request-*", "killed-before-the-effect"),
)
