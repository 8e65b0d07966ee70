"""A loop that does not begin another turn for what came while it was ending one."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import Lane


class ForgetsAWake(Agent):
    """Believes that whoever speaks while it runs will be heard in any case."""

    async def _sent(self, text: str, lane: Lane, input_id: str | None) -> str:
        """Queue it; wake the loop only if it sleeps."""
        if not self.running:
            return await super()._sent(text, lane, input_id)
        return await self.inject(text, source="user", lane=lane, input_id=input_id)


MUTANT = Mutant(
    name="forgets-a-wake",
    does="forgets a follow-up that came while the run was ending",
    claims=("I4",),
    drills=("wakes-are-remembered",),
    agent=ForgetsAWake,
)
