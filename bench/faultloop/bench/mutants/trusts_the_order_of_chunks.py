"""A loop that appends each piece of arguments to the call that began last."""

import msgspec

from faultloop.bench.mutants.misreading import Misreading, Misreads
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.providers.port import CallDelta, Delta


class InOneRow(Misreading):
    """Does not look at indexes."""

    last: int | None = None

    def misread(self, delta: CallDelta) -> Delta | None:
        """The piece, as one of the latest call."""
        if delta.id:
            self.last = delta.index
        return msgspec.structs.replace(delta, index=self.last)


class TrustsTheOrderOfChunks(Misreads):
    """Takes one call after the other for granted."""

    reading = InOneRow


MUTANT = Mutant(
    name="trusts-the-order-of-chunks",
    does="mixes the arguments of calls whose pieces come in turns",
    claims=("P3",),
    breaks=("end_acceptable",),
    agent=TrustsTheOrderOfChunks,
    scenarios=("interleaved-calls", "repeated-names"),
)
