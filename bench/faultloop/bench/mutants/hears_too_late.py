"""A loop that hears steering only when it is done."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class HearsTooLate(Agent):
    """Takes steering for a follow-up."""

    async def steer(self, text: str, *, input_id: str | None = None) -> str:
        """Queue it for the end."""
        return await self.follow_up(text, input_id=input_id)


MUTANT = Mutant(
    name="hears-too-late",
    does="lets steering in only when it would otherwise stop",
    claims=("X7", "L7", "I1"),
    breaks=("queue_honoured",),
    agent=HearsTooLate,
)
