"""A loop that closes every call with something, and what it did not run with nothing."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.retelling import Closing, Retelling
from faultloop.loop.engine import Agent
from faultloop.loop.events import CallNotExecuted
from faultloop.loop.state import State


class Appeasing(Retelling):
    """Keeps providers happy."""

    def retold(self, event: Closing, state: State) -> str:
        """An answer to what was never asked."""
        return "ok" if isinstance(event, CallNotExecuted) else event.result.content


class SaysDoneWithoutDoing(Agent):
    """Pairs each call with a result, whatever became of it."""

    recording = Appeasing


MUTANT = Mutant(
    name="says-done-without-doing",
    does="closes calls that it never ran with a result that says ok",
    claims=("X2", "P1"),
    breaks=("not_run_told",),
    agent=SaysDoneWithoutDoing,
    scenarios=("cancel-with-calls-waiting", "*cut-*", "dependent-call-is-not-run"),
)
