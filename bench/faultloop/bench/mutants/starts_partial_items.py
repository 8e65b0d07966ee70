"""A loop that starts a call as soon as the model has begun the next one, whole or not."""

from faultloop.bench.mutants.mends_what_was_cut import mended
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Assembler
from faultloop.loop.engine import Agent
from faultloop.loop.message import Call


class Hasty(Assembler):
    """Takes what there is of a call for all that will come."""

    def settled(self) -> tuple[Call, ...]:
        """Every call but the last, with what it lacks filled in."""
        for pile in self._piles[len(self._calls) : -1]:
            pile.arguments = [mended("".join(pile.arguments))]
        return super().settled()


class Hurrying(Asking):
    """Reads in haste."""

    assembling = Hasty


class StartsPartialItems(Agent):
    """Does not wait for the rest of a sentence."""

    asking = Hurrying


MUTANT = Mutant(
    name="starts-partial-items",
    does="starts a call whose arguments are still coming once the next call has begun",
    claims=("L4", "P2"),
    drills=("whole-items-start",),
    agent=StartsPartialItems,
)
