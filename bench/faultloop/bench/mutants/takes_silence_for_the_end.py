"""A loop for which a stream that just ends is a reply that is over."""

from faultloop.bench.mutants.mends_what_was_cut import Gullible
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Ending, Reply
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import Provider


class Content(Asking):
    """Needs no finish reason."""

    def judge(self, reply: Reply) -> Ending:
        """What came is whole, unless it says that it was cut."""
        return "whole" if reply.ending == "broken" else reply.ending


class TakesSilenceForTheEnd(Agent):
    """Does not miss the end of a sentence."""

    asking = Content

    def __init__(self, *, provider: Provider, **parts: object) -> None:
        super().__init__(provider=Gullible(provider), **parts)  # type: ignore[arg-type]  # passed on as they came


MUTANT = Mutant(
    name="takes-silence-for-the-end",
    does="takes a stream that ended without a finish reason for a whole reply",
    claims=("P1", "D5"),
    breaks=("truncated_not_executed", "end_acceptable"),
    agent=TakesSilenceForTheEnd,
    scenarios=("ends-*", "reset-in-text"),
)
