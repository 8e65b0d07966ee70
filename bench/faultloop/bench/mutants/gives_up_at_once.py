"""A loop that has no patience: half a second of silence is the end, and there is no second try."""

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Policy


def impatient(policy: Policy) -> Policy:
    """The same policy with a short temper."""
    backoff = replace(policy.request_backoff, retries_max=0)
    return replace(policy, stall_s=0.5, request_backoff=backoff)


MUTANT = Mutant(
    name="gives-up-at-once",
    does="ends the turn where a stream pauses for a second",
    claims=("D8", "L11"),
    breaks=("end_acceptable",),
    policy=impatient,
)
