"""A loop that calls an outcome unknown without looking."""

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy


def blind(policy: Policy) -> Policy:
    """The same policy without queries."""
    return replace(policy, query_unknown=False)


MUTANT = Mutant(
    name="never-looks",
    does="tells the model that an outcome is unknown although a query would tell",
    claims=("D2",),
    breaks=("world_asked",),
    policy=blind,
    scenarios=("unknown-is-looked-up", "pull-request-*"),
)
