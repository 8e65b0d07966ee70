"""A loop that keeps the calls of a stream by their indexes and looks at nothing else."""

import msgspec

from faultloop.bench.mutants.misreading import Misreading, Misreads
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.providers.port import CallDelta, Delta


class ByIndex(Misreading):
    """The first id and name of an index are all that it ever has."""

    seen: frozenset[int | None] = frozenset()

    def begins(self) -> None:
        """With no index."""
        self.seen = frozenset()

    def misread(self, delta: CallDelta) -> Delta | None:
        """The piece, as one of the call that has its index already."""
        if delta.index in self.seen:
            return msgspec.structs.replace(delta, id=None, name=None)
        self.seen |= {delta.index}
        return delta


class KnowsCallsByTheirIndex(Misreads):
    """Makes one call of all that have one index."""

    reading = ByIndex


MUTANT = Mutant(
    name="knows-calls-by-their-index",
    does="makes one call of all calls that came with the same index",
    claims=("P3",),
    breaks=("end_acceptable",),
    agent=KnowsCallsByTheirIndex,
    scenarios=("one-index-for-all-calls", "gapped-indexes", "ids-come-late", "names-come-late"),
)
