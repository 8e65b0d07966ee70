"""A loop whose repeat guard compares what the model wrote, not what the tool would be given."""

from __future__ import annotations

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.message import AssistantMessage


class BySpelling(Executing):
    """Takes another space between two tokens for another call."""

    def _same(self, ready: Ready) -> str | None:
        """An earlier call with the very same text."""
        for message in self.recorder.state.history[:-1]:
            for call in message.calls if isinstance(message, AssistantMessage) else ():
                if (call.name, call.arguments) == (ready.record.name, ready.record.arguments):
                    return call.id
        return None


class GuardsBySpelling(Agent):
    """Executes with that guard."""

    executing = BySpelling


MUTANT = Mutant(
    name="guards-by-spelling",
    does="takes the same call in another spelling for another call",
    claims=("S7",),
    drills=("repeats-are-guarded",),
    agent=GuardsBySpelling,
)
