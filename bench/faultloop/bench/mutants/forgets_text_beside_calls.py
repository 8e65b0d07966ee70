"""A loop whose reader of streams knows replies that speak and replies that call, but not both."""

from collections.abc import AsyncIterator
from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import CallDelta, Delta, ModelRequest, Provider, TextDelta
from faultloop.scenarios.both_forms import NAME


class Either(Provider):
    """Hands on the text of a stream only where no call follows."""

    def __init__(self, provider: Any) -> None:
        self.provider = provider

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """A whole reply as it is, a stream without the text beside its calls."""
        deltas = [delta async for delta in self.provider.stream(request)]
        calls = request.stream and any(isinstance(delta, CallDelta) for delta in deltas)
        for delta in deltas:
            if not (calls and isinstance(delta, TextDelta)):
                yield delta


class ForgetsTextBesideCalls(Agent):
    """Reads streams in its own way."""

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        super().__init__(provider=Either(provider), **parts)


MUTANT = Mutant(
    name="forgets-text-beside-calls",
    does="drops what a reply says beside its calls, where it is streamed",
    claims=("P3",),
    breaks=(NAME,),
    agent=ForgetsTextBesideCalls,
    scenarios=("one-call", "two-payments-are-two", "wrong-type-is-explained"),
)
