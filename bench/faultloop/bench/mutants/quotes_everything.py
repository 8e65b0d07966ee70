"""A loop that answers bad arguments with all of them."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.retelling import Closing, Retelling, arguments_of
from faultloop.loop.engine import Agent
from faultloop.loop.state import State


class Verbose(Retelling):
    """Repeats what was said."""

    def retold(self, event: Closing, state: State) -> str:
        """The complaint, and the whole text behind it."""
        told = event.result.content
        if event.code != "INVALID_ARGS":
            return told
        return f"{told}\nArguments were: {arguments_of(event, state)}"


class QuotesEverything(Agent):
    """Fills the context with what did not work."""

    recording = Verbose


MUTANT = Mutant(
    name="quotes-everything",
    does="sends unusable arguments of any length back whole",
    claims=("P7",),
    breaks=("excerpt_bounded",),
    agent=QuotesEverything,
    scenarios=("long-broken-arguments", "broken-json-is-explained"),
)
