"""A loop that takes what comes after the finish reason for a part of the reply."""

from collections.abc import AsyncIterator
from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import Delta, EndDelta, FinishDelta, ModelRequest, Provider


class Reordering(Provider):
    """Hears the finish reason last."""

    def __init__(self, provider: Any) -> None:
        self.provider = provider

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The same stream, its finish reason behind all else but the end mark."""
        held: list[Delta] = []
        async for delta in self.provider.stream(request):
            if held and isinstance(delta, EndDelta):
                yield held.pop()
            if isinstance(delta, FinishDelta):
                held.append(delta)
            else:
                yield delta
        for delta in held:
            yield delta


class LetsLatePiecesIn(Agent):
    """Does not know when a block is over."""

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        super().__init__(provider=Reordering(provider), **parts)


MUTANT = Mutant(
    name="lets-late-pieces-in",
    does="appends a piece that comes after the finish reason to the call that was whole",
    claims=("P3",),
    breaks=("end_acceptable",),
    agent=LetsLatePiecesIn,
    scenarios=("piece-after-the-end",),
)
