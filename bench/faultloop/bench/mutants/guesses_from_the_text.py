"""A loop that tells errors from results by their words."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.calling import Calling
from faultloop.loop.checking import Ready
from faultloop.loop.engine import Agent
from faultloop.loop.stop import StopSignal
from faultloop.loop.tools.port import ToolResult

FATAL = ("fatal", "permission denied", "sandbox violation")


class Reading(Calling):
    """Knows a fatal error when it reads one."""

    async def attempt(self, ready: Ready, attempt: str, signal: StopSignal) -> ToolResult:
        """A result without bad words, or an exception."""
        result = await super().attempt(ready, attempt, signal)
        if any(word in result.content.casefold() for word in FATAL):
            raise RuntimeError("a tool reported a fatal error")
        return result


class GuessesFromTheText(Agent):
    """Cannot read a log."""

    calling = Reading


MUTANT = Mutant(
    name="guesses-from-the-text",
    does="ends the turn because a good result holds the words of an error",
    claims=("P8",),
    breaks=("end_acceptable",),
    agent=GuessesFromTheText,
    scenarios=("error-words-in-a-good-result", "failing-command-is-a-result"),
)
