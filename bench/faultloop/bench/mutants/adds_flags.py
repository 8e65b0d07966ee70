"""A loop that adds flags to the model's commands so that they never ask anything."""

from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.rewriting import Rewriting
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent


class Flagging(Rewriting):
    """Says yes in advance."""

    def rewritten(self, args: dict[str, Any], contract: Contract) -> dict[str, Any]:
        """The same command line with a flag more."""
        return args | {"command": f"{args['command']} --yes"} if "command" in args else args


class AddsFlags(Agent):
    """Helps its commands along."""

    executing = Flagging


MUTANT = Mutant(
    name="adds-flags",
    does="adds a flag to every command that the model runs",
    claims=("C3",),
    breaks=("arguments_exact",),
    agent=AddsFlags,
    scenarios=("failing-command-is-a-result", "redirected-during-the-tests"),
)
