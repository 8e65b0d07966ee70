"""A loop whose pause before another attempt cannot be cut short."""

from collections.abc import Coroutine
from typing import Any, TypeVar

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import ModelRequest
from faultloop.loop.stop import StopSignal

T = TypeVar("T")


class Muffled(StopSignal):
    """A signal that does not reach a sleep."""

    def __init__(self, signal: StopSignal) -> None:
        super().__init__()
        self._signal = signal

    async def cut(self, work: Coroutine[Any, Any, T]) -> T:
        """A sleep to its end; all else as ever."""
        if getattr(work, "__name__", "") == "sleep":
            return await work
        self.what = self._signal.what
        try:
            return await self._signal.cut(work)
        finally:
            self.what = self._signal.what


class Sleeping(Asking):
    """Waits as long as it was told to."""

    async def ask(self, request: ModelRequest, signal: StopSignal) -> None:
        """As ever, but for the pauses."""
        await super().ask(request, Muffled(signal))


class SleepsThroughACancel(Agent):
    """Makes the user wait for what they do not want any more."""

    asking = Sleeping


MUTANT = Mutant(
    name="sleeps-through-a-cancel",
    does="sits out its pause before another attempt though the user has cancelled",
    claims=("X1", "D8"),
    breaks=("end_acceptable",),
    agent=SleepsThroughACancel,
    scenarios=("cancel-between-two-attempts", "cancel-in-the-middle-of-a-stream"),
)
