"""A loop that looks for a cancel whenever a chunk comes."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import ModelRequest
from faultloop.loop.stop import StopSignal


class Waiting(Asking):
    """Cannot be interrupted while it waits for the wire."""

    async def ask(self, request: ModelRequest, signal: StopSignal) -> None:
        """Once the stream is over, one way or the other, the signal is looked at."""
        deaf = StopSignal()
        await super().ask(request, deaf if not signal.fired else signal)
        if signal.what is not None:
            await self.recorder.tell(signal.what)


class HearsOnlyBetweenChunks(Agent):
    """Stands still with its stream."""

    asking = Waiting


MUTANT = Mutant(
    name="hears-only-between-chunks",
    does="does not hear a cancel while its stream stands still",
    claims=("X1",),
    breaks=("end_acceptable",),
    agent=HearsOnlyBetweenChunks,
    scenarios=("cancel-in-a-silent-stream",),
)
