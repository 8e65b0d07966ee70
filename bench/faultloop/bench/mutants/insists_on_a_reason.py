"""A loop that runs calls as they come, and asks again where the stream had no finish reason."""

from faultloop.bench.mutants.insists_on_the_mark import InsistsOnTheMark, Watched
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.providers.port import FinishDelta


class WatchedForAReason(Watched):
    """Notes whether a finish reason came."""

    mark = FinishDelta


class InsistsOnAReason(InsistsOnTheMark):
    """Does it twice, because nobody said why it was over."""

    watched = WatchedForAReason


MUTANT = Mutant(
    name="insists-on-a-reason",
    does="runs the calls of a stream without a finish reason and then asks for them again",
    claims=("P3", "P11"),
    breaks=("effects_once", "end_acceptable"),
    agent=InsistsOnAReason,
    scenarios=("end-mark-without-a-reason",),
)
