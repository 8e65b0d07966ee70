"""A loop that lets go of its lease when it is closed, and at no other time."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent


class Keeping(Agent):
    """Whatever happens, the session stays its own."""

    def _let_go(self) -> None:
        """Keep it."""


MUTANT = Mutant(
    name="keeps-the-lease",
    does="holds its lease after its caller has gone and after an internal fault",
    claims=("X8", "L3"),
    drills=("lease-is-let-go",),
    agent=Keeping,
)
