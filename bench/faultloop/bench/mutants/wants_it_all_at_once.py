"""A loop that drops a call whose first piece does not say all: its id and its name."""

import msgspec

from faultloop.bench.mutants.misreading import Misreading, Misreads
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.providers.port import CallDelta, Delta


class AtOnce(Misreading):
    """Knows after the first piece what it will ever know."""

    good: dict[int | None, bool]

    def begins(self) -> None:
        """With no call."""
        self.good = {}

    def misread(self, delta: CallDelta) -> Delta | None:
        """The piece, or an empty one where its call began badly."""
        if self.good.setdefault(delta.index, bool(delta.id and delta.name)):
            return delta
        return msgspec.structs.replace(delta, id=None, name=None, arguments="")


class WantsItAllAtOnce(Misreads):
    """Loses what adapters leave out or send late."""

    reading = AtOnce


MUTANT = Mutant(
    name="wants-it-all-at-once",
    does="drops calls whose id or name is missing or comes late, and tells nobody",
    claims=("P3", "L1"),
    breaks=("end_acceptable",),
    agent=WantsItAllAtOnce,
    scenarios=("calls-without-ids", "call-without-a-name", "call-that-*", "ids-*", "names-*"),
)
