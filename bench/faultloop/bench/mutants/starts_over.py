"""A loop that answers a failed model request by running the step's tools again."""

from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Reply
from faultloop.loop.calling import Calling, Ended
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import ModelRequest, ProviderFailure
from faultloop.loop.stop import StopSignal


class Remembering(Calling):
    """Keeps what it ran."""

    ran: tuple[Ready, ...] = ()

    async def live(self, ready: Ready, first: str, signal: StopSignal) -> Ended:
        """As ever, and remembered."""
        self.ran = (*self.ran, ready)
        return await super().live(ready, first, signal)


class Restarting(Asking):
    """Retries more than the request."""

    caller: Remembering

    async def listen(self, request: ModelRequest, attempt: str) -> Reply:
        """On a failure, everything that ran is run again first."""
        try:
            return await super().listen(request, attempt)
        except ProviderFailure:
            for ready in self.caller.ran:
                await self.caller.attempt(ready, attempt, StopSignal())
            raise


class StartsOver(Agent):
    """Retries the run instead of the request."""

    asking = Restarting
    calling = Remembering

    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        assert isinstance(self.asker, Restarting)
        assert isinstance(self.caller, Remembering)
        self.asker.caller = self.caller


MUTANT = Mutant(
    name="starts-over",
    does="runs tools again because a model request failed",
    claims=("D8", "D4", "O2"),
    breaks=("request_recovery", "effects_once"),
    agent=StartsOver,
)
