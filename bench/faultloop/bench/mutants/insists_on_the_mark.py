"""A loop that runs calls as they come, and asks again where the stream had no end mark."""

from collections.abc import AsyncIterator
from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Reply
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Ready, read
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import (
    Delta,
    EndDelta,
    ModelRequest,
    Provider,
    ProviderFailure,
)
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


class Watched(Provider):
    """Notes whether the end mark came."""

    mark: type[Delta] = EndDelta
    ended = False

    def __init__(self, provider: Any) -> None:
        self.provider = provider

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The same stream."""
        self.ended = False
        async for delta in self.provider.stream(request):
            self.ended = self.ended or isinstance(delta, self.mark)
            yield delta


class Insisting(Asking):
    """Takes a missing mark for a broken reply, when its calls have run."""

    caller: Calling

    async def listen(self, request: ModelRequest, attempt: str) -> Reply:
        """A reply with a mark; one without it is run and thrown away."""
        reply = await super().listen(request, attempt)
        if not isinstance(self.provider, Watched) or self.provider.ended:
            return reply
        for number, call in enumerate(reply.message.calls):
            record = CallRecord(
                call=f"{attempt}/{number}", id=call.id, name=call.name, arguments=call.arguments
            )
            ready = read(record, self.caller.offer.offered)
            if isinstance(ready, Ready):
                await self.caller.attempt(ready, attempt, StopSignal())
        raise ProviderFailure("broken", "the stream had no end mark")


class InsistsOnTheMark(Agent):
    """Does it twice, because the first time was not signed."""

    asking = Insisting
    watched = Watched

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        super().__init__(provider=self.watched(provider), **parts)
        assert isinstance(self.asker, Insisting)
        self.asker.caller = self.caller


MUTANT = Mutant(
    name="insists-on-the-mark",
    does="runs the calls of a stream without its end mark and then asks for them again",
    claims=("P3", "D5"),
    breaks=("effects_once", "end_acceptable"),
    agent=InsistsOnTheMark,
    scenarios=("end-mark-missing", "arguments-in-any-script"),
)
