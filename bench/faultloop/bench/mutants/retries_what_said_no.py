"""A loop that repeats every harmless call that failed, though the tool said that it is no use."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent
from faultloop.loop.tools.port import ToolResult


class Hopeful(Calling):
    """Does not read `retryable`."""

    def retry_wait_s(self, contract: Contract, result: ToolResult, failures: int) -> float | None:
        """A pause, wherever a repeat does no harm."""
        backoff = self.policy.tool_backoff
        harmless = contract.read_only or contract.idempotent
        if result.outcome == "ok" or not harmless or failures > backoff.retries_max:
            return None
        return backoff.wait_s(failures, self.random)


class RetriesWhatSaidNo(Agent):
    """Asks three times for a file that is not there."""

    calling = Hopeful


MUTANT = Mutant(
    name="retries-what-said-no",
    does="repeats a call whose failure says that it cannot be mended by that",
    claims=("D4",),
    breaks=("retry_manners",),
    agent=RetriesWhatSaidNo,
    scenarios=("tool-raises", "one-of-three-raises"),
)
