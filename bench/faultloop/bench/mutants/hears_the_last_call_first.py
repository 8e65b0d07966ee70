"""A loop whose reader of streams piles calls up and takes them off from the top."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import CallDelta, Delta, ModelRequest, Provider
from faultloop.scenarios.both_forms import NAME


class Piled(Provider):
    """Hands on the calls of a stream from the last to the first."""

    def __init__(self, provider: Any) -> None:
        self.provider = provider

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """A whole reply as it is, the calls of a stream the other way round."""
        deltas = [delta async for delta in self.provider.stream(request)]
        calls = [delta for delta in deltas if request.stream and isinstance(delta, CallDelta)]
        last = max((delta.index or 0 for delta in calls), default=0)
        turned = iter(sorted(calls, key=lambda delta: -(delta.index or 0)))
        for delta in deltas:
            if calls and isinstance(delta, CallDelta):
                piece = next(turned)
                yield msgspec.structs.replace(piece, index=last - (piece.index or 0))
            else:
                yield delta


class HearsTheLastCallFirst(Agent):
    """Reads streams in its own way."""

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        super().__init__(provider=Piled(provider), **parts)


MUTANT = Mutant(
    name="hears-the-last-call-first",
    does="turns the order of parallel calls round, where they are streamed",
    claims=("P3",),
    breaks=(NAME,),
    agent=HearsTheLastCallFirst,
    scenarios=("one-of-three-raises", "reads-come-back-in-order"),
)
