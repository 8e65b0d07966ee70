"""A loop that collects results as they come and sends them back in that order."""

from collections.abc import Sequence
from itertools import groupby

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, CallEnded
from faultloop.loop.message import Message, ResultMessage
from faultloop.loop.recorder import Recorder


class Noting(Recorder):
    """Remembers which call was done when."""

    done: tuple[str, ...] = ()

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """As ever."""
        self.done += tuple(event.call_id for event in events if isinstance(event, CallEnded))
        super().persist(events)


class PutsTheFastestFirst(Agent):
    """Lets the order of a batch depend on its tools' speed."""

    recording = Noting

    def messages(self) -> tuple[Message, ...]:
        """Each run of results in the order of its calls' ends."""
        assert isinstance(self.recorder, Noting)
        when = {call_id: place for place, call_id in enumerate(self.recorder.done)}
        ordered: list[Message] = []
        for is_result, run in groupby(super().messages(), lambda m: isinstance(m, ResultMessage)):
            batch = list(run)
            if is_result:
                batch.sort(key=lambda m: when.get(getattr(m, "call_id", ""), 0))
            ordered += batch
        return tuple(ordered)


MUTANT = Mutant(
    name="puts-the-fastest-first",
    does="sends results back in the order in which their calls were done",
    claims=("S2",),
    breaks=("results_in_order",),
    agent=PutsTheFastestFirst,
    scenarios=("reads-come-back-in-order", "a-dozen-reads", "one-of-three-raises"),
)
