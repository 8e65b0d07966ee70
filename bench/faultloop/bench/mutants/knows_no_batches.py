"""A loop that looks at each call by itself, whatever its policy says of the batch."""

from __future__ import annotations

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy


def per_call(policy: Policy) -> Policy:
    """No rule for the whole batch."""
    return replace(policy, whole_batch="per_call")


MUTANT = Mutant(
    name="knows-no-batches",
    does="runs a batch in parallel that its policy makes sequential",
    claims=("S6",),
    drills=("batches-by-policy",),
    policy=per_call,
)
