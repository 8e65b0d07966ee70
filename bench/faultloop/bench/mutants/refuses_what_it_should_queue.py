"""A loop that knows one answer to a second prompt, whatever its policy says."""

from __future__ import annotations

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy


def refusing(policy: Policy) -> Policy:
    """Refuse a second prompt under every policy."""
    return replace(policy, second_prompt="refuse")


MUTANT = Mutant(
    name="refuses-what-it-should-queue",
    does="refuses a second prompt that its policy queues",
    claims=("L14",),
    drills=("second-prompt",),
    policy=refusing,
)
