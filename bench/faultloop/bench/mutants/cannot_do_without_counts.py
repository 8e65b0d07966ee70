"""A loop that adds up tokens without asking whether there are any, or whether they can be right."""

from collections.abc import AsyncIterator
from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import Delta, ModelRequest, Provider, UsageDelta


class Counting(Provider):
    """Counts with what it gets."""

    def __init__(self, provider: Any) -> None:
        self.provider = provider

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The same stream; AssertionError where its counts are of no use."""
        counts: list[UsageDelta] = []
        async for delta in self.provider.stream(request):
            if isinstance(delta, UsageDelta):
                counts.append(delta)
            yield delta
        assert all(one.input_tokens >= 0 for one in counts)
        assert counts


class CannotDoWithoutCounts(Agent):
    """Dies of an unpaid bill."""

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        super().__init__(provider=Counting(provider), **parts)


MUTANT = Mutant(
    name="cannot-do-without-counts",
    does="breaks where a stream does not count its tokens, or counts them as nobody can",
    claims=("P3", "L3"),
    breaks=("end_acceptable",),
    agent=CannotDoWithoutCounts,
    scenarios=("counts-*",),
)
