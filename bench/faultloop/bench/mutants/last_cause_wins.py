"""A loop that says of a turn that the last one who cancelled it had cancelled it."""

from __future__ import annotations

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import Cause
from faultloop.loop.signals import Stopped


class LastCauseWins(Agent):
    """Forgets who was first."""

    def cancel(self, cause: Cause = "user", reason: str = "") -> bool:
        """Cancel, and take the credit."""
        cancelled = super().cancel(cause, reason)
        if isinstance(self._signal.what, Stopped):
            self._signal.what = replace(self._signal.what, cause=cause, reason=reason)
        return cancelled


MUTANT = Mutant(
    name="last-cause-wins",
    does="lets the last of several cancels count",
    claims=("X4",),
    drills=("first-cause-wins",),
    agent=LastCauseWins,
)
