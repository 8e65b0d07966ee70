"""A loop that does not close what a cancel or a crash left open: the session is lost to it."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import Message, ResultMessage


class PoisonsTheSession(Agent):
    """In later turns, calls of earlier ones that did not end well have no result."""

    def messages(self) -> tuple[Message, ...]:
        """Without the results that closed what was cut."""
        seen = super().messages()
        if self.state.turn.number == 1:
            return seen
        return tuple(m for m in seen if not (isinstance(m, ResultMessage) and not m.ok))


MUTANT = Mutant(
    name="poisons-the-session",
    does="leaves calls of a cut turn without results in the next one",
    claims=("X2", "D6", "D7"),
    breaks=("next_turn_well_formed",),
    agent=PoisonsTheSession,
)
