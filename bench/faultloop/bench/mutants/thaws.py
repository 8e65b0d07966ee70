"""A loop that was told to freeze its prompt and tools, and changes them in the middle of a run."""

from __future__ import annotations

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy


def thawed(policy: Policy) -> Policy:
    """Assemble prompt and tools anew for each request."""
    return replace(policy, prompt_and_tools="assembled")


MUTANT = Mutant(
    name="thaws",
    does="changes prompt and tools of a run that were to be frozen",
    claims=("L15",),
    drills=("frozen-stays-frozen",),
    policy=thawed,
)
