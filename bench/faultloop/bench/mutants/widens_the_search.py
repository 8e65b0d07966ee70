"""A loop that leaves optional arguments out of what only reads: more is found that way."""

from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.rewriting import Rewriting
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent


class Widening(Rewriting):
    """Keeps only what a reading tool must be given."""

    def rewritten(self, args: dict[str, Any], contract: Contract) -> dict[str, Any]:
        """The required arguments of a tool that reads, all those of another."""
        if not contract.read_only:
            return args
        return {name: value for name, value in args.items() if name in contract.required}


class WidensTheSearch(Agent):
    """Would rather find too much."""

    executing = Widening


MUTANT = Mutant(
    name="widens-the-search",
    does="drops the filters of a query, so that it finds other customers' payments as well",
    claims=("C3",),
    breaks=("arguments_exact",),
    agent=WidensTheSearch,
    scenarios=("charge-504-charged", "killed-after-the-effect"),
)
