"""A loop that fills arguments in where the model gave none."""

from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.rewriting import Rewriting
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent


class FillingIn(Rewriting):
    """Knows better than to delete everything."""

    def rewritten(self, args: dict[str, Any], contract: Contract) -> dict[str, Any]:
        """What must have been meant."""
        return {"dir": "tmp"} if not args and "dir" in contract.properties else args


class FillsInWhatItThinks(Agent):
    """Deletes less than was asked for, or something else."""

    executing = FillingIn


MUTANT = Mutant(
    name="fills-in-what-it-thinks",
    does="gives a tool an argument of its own making where the model wrote {}",
    claims=("P4", "C3"),
    breaks=("arguments_exact",),
    agent=FillsInWhatItThinks,
    scenarios=("explicit-nothing-*",),
)
