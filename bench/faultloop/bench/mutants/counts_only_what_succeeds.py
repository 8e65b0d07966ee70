"""A loop whose step limit counts progress: a step that came to nothing is free."""

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.decide import decide
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent
from faultloop.loop.message import ResultMessage
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Forgiving(Recorder):
    """Gives a step back for each call that failed."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same under a limit that grows with every failure."""
        budget = self.policy.budget
        failed = sum(isinstance(one, ResultMessage) and not one.ok for one in state.history)
        grown = replace(budget, steps_max=(budget.steps_max or 0) + failed)
        return decide(state, signal, replace(self.policy, budget=grown))


class CountsOnlyWhatSucceeds(Agent):
    """Fails for ever."""

    recording = Forgiving


MUTANT = Mutant(
    name="counts-only-what-succeeds",
    does="does not count failed steps, so that a failing call is repeated for ever",
    claims=("L2",),
    breaks=("requests_bounded",),
    agent=CountsOnlyWhatSucceeds,
    scenarios=("*-for-ever",),
)
