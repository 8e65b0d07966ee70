"""A loop that takes steering with a nod and forgets it while a tool runs."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class LosesWhatIsSaid(Agent):
    """Acknowledges and does not queue."""

    async def steer(self, text: str, *, input_id: str | None = None) -> str:
        """Nothing, with an id."""
        return input_id or "steered"


MUTANT = Mutant(
    name="loses-what-is-said",
    does="acknowledges steering and loses it",
    claims=("X7", "I2"),
    breaks=("queue_honoured",),
    agent=LosesWhatIsSaid,
    scenarios=("steer-*", "redirected-during-the-tests"),
)
