"""A loop without any timeout: it waits for a silent stream or tool for as long as it lives."""

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy

YEAR_S = 365 * 24 * 3600.0


def patient(policy: Policy) -> Policy:
    """The same policy without a limit on time."""
    budget = replace(policy.budget, wall_s_max=None)
    return replace(policy, stall_s=YEAR_S, tool_timeout_s=YEAR_S, budget=budget)


MUTANT = Mutant(
    name="waits-for-ever",
    does="gives up neither on a silent stream nor on a tool that never answers",
    claims=("L2", "L3"),
    breaks=("end_acceptable",),
    policy=patient,
)
