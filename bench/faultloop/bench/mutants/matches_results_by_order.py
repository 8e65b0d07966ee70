"""A loop that collects results in a list and zips it with the calls."""

from collections.abc import Sequence

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent, CallEnded, CallNotExecuted
from faultloop.loop.message import AssistantMessage, Message, ResultMessage
from faultloop.loop.recorder import Recorder


class Listing(Recorder):
    """Appends each result as it comes."""

    results: tuple[ResultMessage, ...] = ()

    def persist(self, events: Sequence[AnyEvent]) -> None:
        """As ever."""
        closed = (one.result for one in events if isinstance(one, CallEnded | CallNotExecuted))
        self.results += tuple(closed)
        super().persist(events)


class MatchesResultsByOrder(Agent):
    """Trusts that calls end in their order."""

    recording = Listing

    def messages(self) -> tuple[Message, ...]:
        """The nth result under the nth call's id."""
        assert isinstance(self.recorder, Listing)
        seen = super().messages()
        calls = [c.id for m in seen if isinstance(m, AssistantMessage) for c in m.calls]
        if len(calls) != len(self.recorder.results):
            return seen
        by_place = dict(zip(calls, self.recorder.results, strict=True))
        return tuple(
            msgspec.structs.replace(message, content=by_place[message.call_id].content)
            if isinstance(message, ResultMessage)
            else message
            for message in seen
        )


MUTANT = Mutant(
    name="matches-results-by-order",
    does="gives a call the result of the one that was done first",
    claims=("L1",),
    breaks=("answers_told",),
    agent=MatchesResultsByOrder,
    scenarios=("reads-come-back-in-order", "a-dozen-reads", "one-of-three-raises"),
)
