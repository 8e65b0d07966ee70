"""A loop for which a cancelled turn has done nothing: its results are all taken back."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import Message, ResultMessage

UNDONE = "not executed: interrupted by user"


class TakesBackWhatItDid(Agent):
    """Rewrites the results of a turn that was cut."""

    before: frozenset[str] = frozenset()

    def messages(self) -> tuple[Message, ...]:
        """In the turn after a cancel, every earlier result says that nothing was done."""
        seen = super().messages()
        if self.state.turn.number > 1 and self.state.turn.step == 1:
            self.before = frozenset(m.call_id for m in seen if isinstance(m, ResultMessage))
        return tuple(
            msgspec.structs.replace(message, content=UNDONE, ok=False)
            if isinstance(message, ResultMessage) and message.call_id in self.before
            else message
            for message in seen
        )


MUTANT = Mutant(
    name="takes-back-what-it-did",
    does="tells the turn after a cancel that finished calls were not executed",
    claims=("X9",),
    breaks=("answers_told",),
    agent=TakesBackWhatItDid,
    scenarios=("cancel-in-the-second-of-two-calls", "cancel-just-after-the-effect"),
)
