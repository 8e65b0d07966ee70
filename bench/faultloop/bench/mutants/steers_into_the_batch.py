"""A loop that puts steering where it was said: between a call and its result."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import AssistantMessage, Message, UserMessage


class SteersIntoTheBatch(Agent):
    """Appends to the conversation whatever comes, whenever it comes."""

    def messages(self) -> tuple[Message, ...]:
        """A user message that follows results stands before them."""
        seen = list(super().messages())
        if not isinstance(seen[-1], UserMessage):
            return tuple(seen)
        batches = [at for at, one in enumerate(seen) if isinstance(one, AssistantMessage)]
        if batches and self.state.turn.step > 1:
            seen.insert(batches[-1] + 1, seen.pop())
        return tuple(seen)


MUTANT = Mutant(
    name="steers-into-the-batch",
    does="puts what the user says between a call and its result",
    claims=("X7", "D6"),
    breaks=("results_closed",),
    agent=SteersIntoTheBatch,
    scenarios=("steer-*", "redirected-during-the-tests"),
)
