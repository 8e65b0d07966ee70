"""A loop that asks a provider which is down again and again, at a steady pace."""

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.policy import Backoff, Policy


def stubborn(policy: Policy) -> Policy:
    """The same policy with endless tries, evenly spaced."""
    return replace(policy, request_backoff=Backoff(retries_max=10**6, base_s=0.25, cap_s=0.25))


MUTANT = Mutant(
    name="never-gives-up",
    does="retries a failing model request without a bound",
    claims=("D8", "L2"),
    breaks=("requests_bounded",),
    policy=stubborn,
    scenarios=("provider-down", "next-turn-after-an-outage", "rate-limited"),
)
