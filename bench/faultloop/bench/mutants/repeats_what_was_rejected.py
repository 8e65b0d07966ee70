"""A loop that takes every failure of the provider for a passing one."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import ProviderFailure


class Undeterred(Asking):
    """Tries four times whatever it is told."""

    def retry_wait_s(self, failure: ProviderFailure, failures: int) -> float | None:
        """A pause that grows, for a rejection as well."""
        backoff = self.policy.request_backoff
        return backoff.wait_s(failures, self.random) if failures <= backoff.retries_max else None


class RepeatsWhatWasRejected(Agent):
    """Asks for another 400."""

    asking = Undeterred


MUTANT = Mutant(
    name="repeats-what-was-rejected",
    does="sends a request again that the provider rejected for good",
    claims=("D8",),
    breaks=("retry_manners",),
    agent=RepeatsWhatWasRejected,
    scenarios=("rejected-request-is-not-repeated",),
)
