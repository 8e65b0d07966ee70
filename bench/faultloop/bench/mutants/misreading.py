"""What mutants that put streams together wrongly have in common: another reading of the deltas."""

from collections.abc import AsyncIterator
from typing import Any

from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import CallDelta, Delta, ModelRequest, Provider


class Misreading(Provider):
    """Hands on other deltas of calls than came."""

    def __init__(self, provider: Any) -> None:
        self.provider = provider

    def begins(self) -> None:
        """A stream begins."""

    def misread(self, delta: CallDelta) -> Delta | None:
        """What is made of a piece; None where the stream is taken to be over."""
        return delta

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The stream as this reader sees it."""
        self.begins()
        stopped = False
        async for delta in self.provider.stream(request):
            if not isinstance(delta, CallDelta):
                yield delta
                continue
            seen = None if stopped else self.misread(delta)
            stopped = stopped or seen is None
            if seen is not None:
                yield seen


class Misreads(Agent):
    """Reads streams in its own way."""

    reading: type[Misreading] = Misreading

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        super().__init__(provider=self.reading(provider), **parts)
