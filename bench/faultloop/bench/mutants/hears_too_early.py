"""A loop that lets a follow-up in at once, between two steps of the work that it follows."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class HearsTooEarly(Agent):
    """Takes a follow-up for steering."""

    async def follow_up(self, text: str, *, input_id: str | None = None) -> str:
        """Queue it for the next request."""
        return await self.steer(text, input_id=input_id)


MUTANT = Mutant(
    name="hears-too-early",
    does="lets a follow-up in while it still owes the model results",
    claims=("X7", "L7", "I3"),
    breaks=("queue_honoured",),
    agent=HearsTooEarly,
)
