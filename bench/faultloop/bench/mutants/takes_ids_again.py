"""A loop that remembers which input it took only for as long as it runs."""

from __future__ import annotations

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.recorder import Recorder


class Forgetful(Recorder):
    """Starts with an empty memory."""

    def load(self) -> None:
        """Load the journal, but not which ids were taken."""
        super().load()
        inbox = replace(self.state.inbox, seen=frozenset())
        self.state = self.ahead = replace(self.state, inbox=inbox)


class TakesIdsAgain(Agent):
    """Takes the same input again after a restart."""

    recording = Forgetful


MUTANT = Mutant(
    name="takes-ids-again",
    does="takes input with the same id a second time after a restart",
    claims=("I2",),
    drills=("same-id-once",),
    agent=TakesIdsAgain,
)
