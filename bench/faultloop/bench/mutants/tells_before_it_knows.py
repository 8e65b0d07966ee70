"""A loop that tells its subscribers first and updates its state afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent
from faultloop.loop.recorder import Recorder
from faultloop.loop.run_events import told
from faultloop.loop.state import State


class Chatty(Recorder):
    """Talks before it writes."""

    async def _commit(self, events: Sequence[AnyEvent], after: State) -> bool:
        """Tell what is about to be; then write it, and say no more."""
        self.delivery.post(*(seen for event in events for seen in told(event)))
        await self.delivery.heard()
        delivery, self.delivery = self.delivery, type(self.delivery)()
        try:
            return await super()._commit(events, after)
        finally:
            self.delivery = delivery


class TellsBeforeItKnows(Agent):
    """Lets subscribers see a state that is behind what they are told."""

    recording = Chatty


MUTANT = Mutant(
    name="tells-before-it-knows",
    does="tells subscribers before the state is updated",
    claims=("E2",),
    drills=("state-before-subscribers",),
    agent=TellsBeforeItKnows,
)
