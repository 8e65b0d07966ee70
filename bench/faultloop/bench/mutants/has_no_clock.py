"""A loop that limits each call and each stream, and nobody adds them up."""

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy


def timeless(policy: Policy) -> Policy:
    """The same policy without a limit on the turn's time."""
    return replace(policy, budget=replace(policy.budget, wall_s_max=None))


MUTANT = Mutant(
    name="has-no-clock",
    does="lets a turn of many slow steps run past its time",
    claims=("L2",),
    breaks=("end_acceptable",),
    policy=timeless,
    scenarios=("slow-calls-use-up-the-time", "tool-never-answers"),
)
