"""A loop that keeps all calls of a conversation by their ids, and never the same id twice."""

import msgspec

from faultloop.bench.mutants.misreading import Misreading, Misreads
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.providers.port import CallDelta, Delta


class ById(Misreading):
    """Knows an id from the last reply, and takes its call for the same."""

    known: frozenset[str] = frozenset()
    old: frozenset[int | None] = frozenset()

    def begins(self) -> None:
        """With what is known from earlier streams."""
        self.old = frozenset()

    def misread(self, delta: CallDelta) -> Delta | None:
        """The piece, or an empty one where its call was made before."""
        if delta.id and delta.name:
            self.old |= {delta.index} if delta.id in self.known else frozenset()
            self.known |= {delta.id}
        if delta.index in self.old:
            return msgspec.structs.replace(delta, id=None, name=None, arguments="")
        return delta


class KeepsCallsById(Misreads):
    """Loses the second of two."""

    reading = ById


MUTANT = Mutant(
    name="keeps-calls-by-id",
    does="takes a call whose id has occurred for one that was made before",
    claims=("P3", "L1"),
    breaks=("end_acceptable",),
    agent=KeepsCallsById,
    scenarios=("ids-are-counted-*", "two-calls-share-*"),
)
