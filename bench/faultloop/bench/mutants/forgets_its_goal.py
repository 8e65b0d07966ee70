"""A loop whose goal is in its process only, like its being armed."""

from __future__ import annotations

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.recorder import Recorder


class Fresh(Recorder):
    """Opens a session without its goal."""

    def load(self) -> None:
        """Load everything else."""
        super().load()
        self.state = self.ahead = replace(self.state, goal=None)


class ForgetsItsGoal(Agent):
    """Knows no goal after a restart."""

    recording = Fresh


MUTANT = Mutant(
    name="forgets-its-goal",
    does="loses its goal with its process",
    claims=("G1",),
    drills=("goals-need-arming",),
    agent=ForgetsItsGoal,
)
