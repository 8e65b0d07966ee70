"""A loop that forgets to close a turn that never came to a step."""

from __future__ import annotations

from collections.abc import Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, TurnEnded
from faultloop.loop.recorder import Recorder


class Careless(Recorder):
    """Takes a turn without steps for none."""

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """All but the end of such a turn."""
        empty = self.state.turn.step == 0
        super().persist([e for e in events if not (empty and isinstance(e, TurnEnded))])


class LeavesEmptyTurnsOpen(Agent):
    """Leaves a turn of zero steps without an end."""

    recording = Careless


MUTANT = Mutant(
    name="leaves-empty-turns-open",
    does="does not close a turn of zero steps",
    claims=("L5",),
    drills=("turns-frame-their-input",),
    agent=LeavesEmptyTurnsOpen,
)
