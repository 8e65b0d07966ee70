"""A loop that does not know that one call was to wait for another's success."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.schedule import Decision, Planned, Progress


class Careless(Executing):
    """Plans without dependencies."""

    def may_start(self, planned: Sequence[Planned], progress: Mapping[str, Progress]) -> Decision:
        """As ever, for contracts that depend on nothing."""
        free = [
            msgspec.structs.replace(one, contract=replace(one.contract, depends_on=()))
            if one.contract
            else one
            for one in planned
        ]
        return super().may_start(free, progress)


class IgnoresDependencies(Agent):
    """Opens the pull request whatever the tests say."""

    executing = Careless


MUTANT = Mutant(
    name="ignores-dependencies",
    does="runs a call although the one that it depends on has failed",
    claims=("S3",),
    breaks=("end_acceptable",),
    agent=IgnoresDependencies,
    scenarios=("dependent-call-is-not-run",),
)
