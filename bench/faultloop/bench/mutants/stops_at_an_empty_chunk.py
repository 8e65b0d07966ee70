"""A loop that reads a call's arguments until a piece of them is empty."""

from faultloop.bench.mutants.misreading import Misreading, Misreads
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.providers.port import CallDelta, Delta


class UntilEmpty(Misreading):
    """Takes nothing for the end."""

    def misread(self, delta: CallDelta) -> Delta | None:
        """The piece, if it holds anything."""
        return delta if delta.id or delta.arguments else None


class StopsAtAnEmptyChunk(Misreads):
    """Does not hear what comes after a pause."""

    reading = UntilEmpty


MUTANT = Mutant(
    name="stops-at-an-empty-chunk",
    does="takes an empty piece of a stream for the end of its calls",
    claims=("P3",),
    breaks=("end_acceptable",),
    agent=StopsAtAnEmptyChunk,
    scenarios=("empty-chunks", "interleaved-calls"),
)
