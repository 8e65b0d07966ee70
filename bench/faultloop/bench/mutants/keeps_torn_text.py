"""A loop that appends what a retry says to what the broken attempt had said."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Reply
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import Delta, ModelRequest, Provider, ProviderFailure, TextDelta


class Echo(Provider):
    """Remembers the text of the last stream."""

    heard = ""

    def __init__(self, provider: Any) -> None:
        self.provider = provider

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The same stream."""
        self.heard = ""
        async for delta in self.provider.stream(request):
            if isinstance(delta, TextDelta):
                self.heard += delta.text
            yield delta


class Stammering(Asking):
    """Goes on where it was interrupted."""

    torn = ""

    async def listen(self, request: ModelRequest, attempt: str) -> Reply:
        """The reply behind what broken attempts have said."""
        try:
            reply = await super().listen(request, attempt)
        except ProviderFailure:
            self.torn += self.provider.heard if isinstance(self.provider, Echo) else ""
            raise
        text, self.torn = self.torn + reply.message.text, ""
        message = msgspec.structs.replace(reply.message, text=text)
        return msgspec.structs.replace(reply, message=message)


class KeepsTornText(Agent):
    """Has the model say everything twice."""

    asking = Stammering

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        super().__init__(provider=Echo(provider), **parts)


MUTANT = Mutant(
    name="keeps-torn-text",
    does="keeps the text of a broken attempt and appends the retry's to it",
    claims=("D5",),
    breaks=("failed_attempts_forgotten",),
    agent=KeepsTornText,
    scenarios=("torn-text-is-gone", "reset-in-text"),
)
