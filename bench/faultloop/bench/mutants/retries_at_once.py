"""A loop that does not wait before it asks again, whatever the provider asked for."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import ProviderFailure


class Impatient(Asking):
    """Retries without a pause."""

    def retry_wait_s(self, failure: ProviderFailure, failures: int) -> float | None:
        """No time at all, wherever there is a retry."""
        return None if super().retry_wait_s(failure, failures) is None else 0.0


class RetriesAtOnce(Agent):
    """Ignores Retry-After."""

    asking = Impatient


MUTANT = Mutant(
    name="retries-at-once",
    does="asks again without waiting for what Retry-After says",
    claims=("D8",),
    breaks=("retry_manners",),
    agent=RetriesAtOnce,
)
