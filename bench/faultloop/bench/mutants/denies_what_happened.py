"""A loop that tells the model that nothing happened, when it does not know."""

from collections.abc import Sequence

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, CallEnded
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Signal
from faultloop.loop.state import State

DENIAL = "The call failed and was not executed. Nothing was changed. Please try again."


class Denying(Recorder):
    """Turns `unknown` into a denial."""

    def decide(self, state: State, signal: Signal) -> tuple[AnyEvent, ...]:
        """The same events with false results."""
        return tuple(map(_denied, super().decide(state, signal)))

    async def record(self, events: Sequence[AnyEvent]) -> None:
        """What recovery decided is denied, too."""
        await super().record([_denied(event) for event in events])


def _denied(event: AnyEvent) -> AnyEvent:
    if isinstance(event, CallEnded) and event.outcome == "unknown":
        result = msgspec.structs.replace(event.result, content=DENIAL)
        return msgspec.structs.replace(event, result=result)
    return event


class DeniesWhatHappened(Agent):
    """Tells the model a comfortable lie."""

    recording = Denying


MUTANT = Mutant(
    name="denies-what-happened",
    does="tells the model that a call of unknown outcome was not executed",
    claims=("D2",),
    breaks=("unknown_outcome_told",),
    agent=DeniesWhatHappened,
)
