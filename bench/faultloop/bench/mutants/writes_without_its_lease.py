"""A loop that believes that it holds the lease because it once did."""

from collections.abc import Callable
from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.port import Fenced
from faultloop.loop.journal.sqlite import SqliteJournal
from faultloop.loop.lease.file import FileLease


class Believed(FileLease):
    """Once held, held for ever."""

    def renew(self) -> None:
        """Do not look whether it is still there."""


class Unfenced(JsonlJournal):
    """Takes everything from everybody."""

    def _refuse_late(self, token: int) -> None:
        """Refuse nobody."""


class UnfencedRows(SqliteJournal):
    """The same, in rows."""

    def _refuse_late(self, token: int) -> None:
        """Refuse nobody."""


def believed(journal: Fenced, clock: Callable[[], float]) -> Believed:
    """As a kit makes a lease."""
    return Believed(journal, clock=clock)


MUTANT = Mutant(
    name="writes-without-its-lease",
    does="goes on with its turn when another process has taken the session over",
    claims=("L14",),
    drills=("lease-decides",),
    kit=lambda kit: replace(kit, lease=believed, stores=(Unfenced, UnfencedRows)),
)
