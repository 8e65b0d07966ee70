"""A loop that goes on from the text of a stream that broke off."""

from __future__ import annotations

from collections.abc import AsyncIterator

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import (
    Delta,
    ModelRequest,
    Provider,
    ProviderFailure,
    TextDelta,
)
from faultloop.loop.stop import StopSignal


class Appending:
    """A provider that says again, before a reply, what failed replies had said."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._heard = ""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The deltas, and what is left of earlier ones."""
        kept, self._heard = self._heard, ""
        if kept:
            yield TextDelta(kept)
        try:
            async for delta in self._provider.stream(request):
                self._heard += delta.text if isinstance(delta, TextDelta) else ""
                yield delta
        except ProviderFailure:
            self._heard = kept + self._heard
            raise
        self._heard = ""


class Hoarding(Asking):
    """Listens through `Appending`."""

    async def ask(self, request: ModelRequest, signal: StopSignal) -> None:
        """The same step."""
        if not isinstance(self.provider, Appending):
            self.provider = Appending(self.provider)
        await super().ask(request, signal)


class KeepsFailedText(Agent):
    """Never forgets what it has heard."""

    asking = Hoarding


MUTANT = Mutant(
    name="keeps-failed-text",
    does="appends a reply to the text of the try that failed before it",
    claims=("D5",),
    drills=("attempts-have-ids",),
    agent=KeepsFailedText,
)
