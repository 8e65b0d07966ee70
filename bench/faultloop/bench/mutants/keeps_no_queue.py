"""A loop that drops what was queued at every cancel, also where it is told to keep it."""

from __future__ import annotations

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy


def discarding(policy: Policy) -> Policy:
    """Drop the queue under every policy."""
    return replace(policy, queue_on_cancel="discard")


MUTANT = Mutant(
    name="keeps-no-queue",
    does="drops queued input that its policy keeps",
    claims=("X4",),
    drills=("cancel-and-the-queue",),
    policy=discarding,
)
