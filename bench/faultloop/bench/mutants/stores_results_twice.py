"""A loop with two handlers that store a good result: the next message finds it twice."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import Message, ResultMessage


class StoresResultsTwice(Agent):
    """Loads a session with its results doubled."""

    def messages(self) -> tuple[Message, ...]:
        """In the first turn as ever, from then on each good result and itself again."""
        seen = super().messages()
        if self.state.turn.number == 1:
            return seen
        return tuple(
            one
            for message in seen
            for one in ([message] * (2 if isinstance(message, ResultMessage) and message.ok else 1))
        )


MUTANT = Mutant(
    name="stores-results-twice",
    does="sends each good result of the session a second time in later turns",
    claims=("D6",),
    breaks=("no_orphans", "next_turn_well_formed"),
    agent=StoresResultsTwice,
)
