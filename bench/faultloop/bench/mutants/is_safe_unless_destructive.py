"""A loop that takes what is not declared dangerous for declared safe."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.schedule import Decision, Planned, Progress


class Optimistic(Executing):
    """Runs side by side whatever nobody warned of."""

    def may_start(self, planned: Sequence[Planned], progress: Mapping[str, Progress]) -> Decision:
        """As ever, with a contract that promises more."""
        hopeful = [
            msgspec.structs.replace(one, contract=_hoped(one.contract)) if one.contract else one
            for one in planned
        ]
        return super().may_start(hopeful, progress)


def _hoped(contract: Contract) -> Contract:
    return contract if contract.risk == "high" else replace(contract, concurrency_safe=True)


class IsSafeUnlessDestructive(Agent):
    """Lets the careless side be the default."""

    executing = Optimistic


MUTANT = Mutant(
    name="is-safe-unless-destructive",
    does="runs calls beside others that nobody declared safe",
    claims=("C2", "C5", "S1"),
    breaks=("exclusive_not_overlapping",),
    agent=IsSafeUnlessDestructive,
    scenarios=("exclusive-*", "cancel-in-the-second-of-two-calls"),
)
