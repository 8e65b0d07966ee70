"""A loop that gives up on a failed model request and says that all is well."""

from dataclasses import replace

from faultloop.bench.mutants.flattering import Flattering
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.policy import Policy


class HidesTheError(Flattering):
    """Writes `completed` where an error ended the turn."""

    hides = "error"


class SwallowsErrors(Agent):
    """Catches everything and reports nothing."""

    recording = HidesTheError


def giving_up(policy: Policy) -> Policy:
    """The same policy without a second try."""
    return replace(policy, request_backoff=replace(policy.request_backoff, retries_max=0))


MUTANT = Mutant(
    name="swallows-errors",
    does="reports a turn whose model request failed as completed",
    claims=("L3", "L11", "D8"),
    breaks=("end_acceptable",),
    agent=SwallowsErrors,
    policy=giving_up,
)
