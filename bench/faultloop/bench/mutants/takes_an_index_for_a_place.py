"""A loop that keeps calls in a list and finds them by their index."""

from faultloop.bench.mutants.misreading import Misreading, Misreads
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.providers.port import CallDelta, Delta


class InAList(Misreading):
    """Appends, and then looks where the index points."""

    calls: tuple[str, ...] = ()

    def begins(self) -> None:
        """With an empty list."""
        self.calls = ()

    def misread(self, delta: CallDelta) -> Delta | None:
        """The piece of a call that is in the list; IndexError where none is."""
        if delta.id:
            self.calls += (delta.id,)
        assert self.calls[delta.index or 0]
        return delta


class TakesAnIndexForAPlace(Misreads):
    """Breaks where indexes have gaps."""

    reading = InAList


MUTANT = Mutant(
    name="takes-an-index-for-a-place",
    does="breaks on a stream whose calls are not numbered from 0",
    claims=("P3", "L3"),
    breaks=("end_acceptable",),
    agent=TakesAnIndexForAPlace,
    scenarios=("gapped-indexes", "interleaved-calls"),
)
