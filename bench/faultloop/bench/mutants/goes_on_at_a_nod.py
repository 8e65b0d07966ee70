"""A loop that takes the answer of a stopping hook for a message, whatever its policy."""

from __future__ import annotations

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy


def called_back(policy: Policy) -> Policy:
    """An answer counts under every policy."""
    return replace(policy, continuation="callback")


MUTANT = Mutant(
    name="goes-on-at-a-nod",
    does="goes on because a hook answered, though only a queued message counts",
    claims=("L7",),
    drills=("continuations-have-causes",),
    policy=called_back,
)
