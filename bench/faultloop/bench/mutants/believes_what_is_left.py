"""A journal that takes its longest good beginning for all that there was."""

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.lines import Scan
from faultloop.loop.journal.mark import Mark


class Trusting(JsonlJournal):
    """Does not compare what is there with what was acknowledged."""

    def _check(self, mark: Mark | None, scan: Scan) -> None:
        """Believe it."""


MUTANT = Mutant(
    name="believes-what-is-left",
    does="takes a journal that has lost its end for a shorter history",
    claims=("D9",),
    drills=("torn-tails-are-dropped",),
    kit=lambda kit: replace(kit, stores=(Trusting,)),
)
