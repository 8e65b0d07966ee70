"""A loop that can only be steered by stopping what it does."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class CancelsToSteer(Agent):
    """Takes steering for a cancel and a new message."""

    async def steer(self, text: str, *, input_id: str | None = None) -> str:
        """Stop at once, then say it in a new turn."""
        self.cancel("user", text)
        return await self.follow_up(text, input_id=input_id)


MUTANT = Mutant(
    name="cancels-to-steer",
    does="cancels the running batch to let steering in",
    claims=("X7",),
    breaks=("end_acceptable",),
    agent=CancelsToSteer,
    scenarios=("steer-*", "redirected-during-the-tests"),
)
