"""A loop whose token limit nobody looks at."""

from __future__ import annotations

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy


def uncounted(policy: Policy) -> Policy:
    """The same limits, but for that of tokens."""
    return replace(policy, budget=replace(policy.budget, tokens_max=None))


MUTANT = Mutant(
    name="counts-no-tokens",
    does="goes on when its tokens are used up",
    claims=("L2",),
    drills=("budgets-end-turns",),
    policy=uncounted,
)
