"""A loop that starts as many safe calls at once as the model makes."""

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy


def unbounded(policy: Policy) -> Policy:
    """The same policy with a pool that is never full."""
    return replace(policy, parallel_max=10_000)


MUTANT = Mutant(
    name="has-no-pool",
    does="starts all calls of a batch at once, however many they are",
    claims=("S1",),
    breaks=("pool_bounded",),
    policy=unbounded,
    scenarios=("many-reads-at-once", "a-dozen-reads"),
)
