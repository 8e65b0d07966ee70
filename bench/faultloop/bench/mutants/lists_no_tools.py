"""A loop that says that a tool does not exist, and not which do."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.retelling import Closing, Retelling
from faultloop.loop.engine import Agent
from faultloop.loop.state import State


class Unhelpful(Retelling):
    """Knows its tools and does not tell."""

    def retold(self, event: Closing, state: State) -> str:
        """A bare complaint about an unknown tool."""
        unknown = event.code == "UNKNOWN_TOOL"
        return "UNKNOWN_TOOL: no such tool" if unknown else event.result.content


class ListsNoTools(Agent):
    """Lets the model guess another name."""

    recording = Unhelpful


MUTANT = Mutant(
    name="lists-no-tools",
    does="answers an unknown tool without naming those that there are",
    claims=("P6",),
    breaks=("failure_explained",),
    agent=ListsNoTools,
    scenarios=("unknown-tool-*", "good-and-bad-*", "name-*"),
)
