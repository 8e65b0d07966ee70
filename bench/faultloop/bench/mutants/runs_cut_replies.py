"""A loop that trusts any reply whose calls look complete, cut or not."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Ending, Reply
from faultloop.loop.engine import Agent


class Trusting(Asking):
    """Does not look at how a reply ended."""

    def judge(self, reply: Reply) -> Ending:
        """Whole, always."""
        return "whole"


class RunsCutReplies(Agent):
    """Runs whatever parses."""

    asking = Trusting


MUTANT = Mutant(
    name="runs-cut-replies",
    does="executes calls of a reply that was cut",
    claims=("P1", "L4", "P11"),
    breaks=("truncated_not_executed",),
    agent=RunsCutReplies,
)
