"""A loop that asks for the lease and does not listen to the answer."""

from collections.abc import Callable
from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.journal.port import Fenced
from faultloop.loop.lease.file import FileLease
from faultloop.loop.lease.port import Holder


class Taken(FileLease):
    """Whoever holds it has to go."""

    def _is_free(self, holder: Holder) -> bool:
        return True


def taken(journal: Fenced, clock: Callable[[], float]) -> Taken:
    """As a kit makes a lease."""
    return Taken(journal, clock=clock)


MUTANT = Mutant(
    name="takes-the-lease-anyway",
    does="takes over a session that another process works on",
    claims=("L14",),
    drills=("lease-decides",),
    kit=lambda kit: replace(kit, lease=taken),
)
