"""A loop that counts what the provider had cached as if it had been read anew."""

from __future__ import annotations

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, AttemptEnded
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State


class Wasteful(Recorder):
    """Knows nothing of caches."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same, and nothing was cached."""
        return tuple(
            replace(event, cached_tokens=0) if isinstance(event, AttemptEnded) else event
            for event in super().decide(state, signal)
        )


class CountsCachedTokens(Agent):
    """Stops too early."""

    recording = Wasteful


MUTANT = Mutant(
    name="counts-cached-tokens",
    does="takes cached tokens for new ones",
    claims=("L2",),
    drills=("budgets-end-turns",),
    agent=CountsCachedTokens,
)
