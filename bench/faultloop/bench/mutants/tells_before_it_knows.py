"""A loop that tells its subscribers first and updates its state afterwards."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent
from faultloop.loop.recorder import Recorder
from faultloop.loop.run_events import told
from faultloop.loop.signals import Signal


class Chatty(Recorder):
    """Talks before it writes."""

    async def tell(self, *signals: Signal) -> tuple[AnyEvent, ...]:
        """Tell what is about to be; then write it, and say no more."""
        async with self._writing:
            events, after = self._following(signals)
            self.delivery.post(*(seen for event in events for seen in told(event)))
            await self.delivery.heard()
            delivery, self.delivery = self.delivery, type(self.delivery)()
            try:
                await self._commit(events, after)
            finally:
                self.delivery = delivery
        return tuple(events)


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
