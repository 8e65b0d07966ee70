"""A journal that cannot be opened any more once a crash has torn its last record."""

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.events import AnyEvent
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.port import JournalDamaged


class Choking(JsonlJournal):
    """Takes what was never acknowledged for damage."""

    def load(self) -> list[AnyEvent]:
        """All or nothing."""
        events = super().load()
        if self._end is not None and self._end.size > self._end.offset:
            raise JournalDamaged("the last record is not whole", record=self._end.records)
        return events


MUTANT = Mutant(
    name="chokes-on-a-torn-tail",
    does="refuses a journal whose last record a crash has torn",
    claims=("D9",),
    drills=("torn-tails-are-dropped",),
    kit=lambda kit: replace(kit, stores=(Choking,)),
)
