"""A loop that answers an unknown tool with its tools from A to Z."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.retelling import Closing, Retelling
from faultloop.loop.engine import Agent
from faultloop.loop.state import State


class Alphabetical(Retelling):
    """Does not say which one was meant."""

    def retold(self, event: Closing, state: State) -> str:
        """All names, sorted."""
        if event.code != "UNKNOWN_TOOL":
            return event.result.content
        names = sorted(state.header.tools) if state.header else []
        return f"Unknown tool. Nothing was run. Tools there are: {', '.join(names)}."


class NamesToolsInAnyOrder(Agent):
    """Has the model search."""

    recording = Alphabetical


MUTANT = Mutant(
    name="names-tools-in-any-order",
    does="lists the tools that there are without putting the nearest first",
    claims=("P6",),
    breaks=("nearest_name_first",),
    agent=NamesToolsInAnyOrder,
    scenarios=("unknown-tool-is-explained", "name-*"),
)
