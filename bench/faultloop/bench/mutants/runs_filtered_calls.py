"""A loop that knows one truncating finish reason and forgets the other."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Ending, Reply
from faultloop.loop.engine import Agent


class Forgetful(Asking):
    """Thinks of `length` only."""

    def judge(self, reply: Reply) -> Ending:
        """Filtered replies are whole."""
        return "whole" if reply.message.finish_reason == "content_filter" else reply.ending


class RunsFilteredCalls(Agent):
    """Runs what the provider withheld the rest of."""

    asking = Forgetful


MUTANT = Mutant(
    name="runs-filtered-calls",
    does="executes the calls of a reply that the content filter stopped",
    claims=("P1", "P11"),
    breaks=("end_acceptable",),
    agent=RunsFilteredCalls,
    scenarios=("filtered-*",),
)
