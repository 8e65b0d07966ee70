"""A loop that stops asking as soon as one result of a batch says that it may."""

from __future__ import annotations

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy


def any_is_enough(policy: Policy) -> Policy:
    """One concluding result is enough under every policy."""
    return replace(policy, conclude="any")


MUTANT = Mutant(
    name="concludes-for-one",
    does="skips the revisit that other results of the batch are owed",
    claims=("L8",),
    drills=("results-conclude",),
    policy=any_is_enough,
)
