"""A loop without a limit of its own: it asks for as long as it is answered."""

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.budget import Budget
from faultloop.loop.policy import Policy


def unlimited(policy: Policy) -> Policy:
    """The same policy without a budget."""
    return replace(policy, budget=Budget(steps_max=None, wall_s_max=None))


MUTANT = Mutant(
    name="never-stops",
    does="goes on asking for as long as the model goes on calling",
    claims=("L2",),
    breaks=("requests_bounded",),
    policy=unlimited,
)
