"""A loop that turns a list of arguments away without saying what it wants instead."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.retelling import Closing, Retelling, arguments_of
from faultloop.loop.engine import Agent
from faultloop.loop.state import State
from faultloop.loop.strict_json import Value, read


class Tight(Retelling):
    """Says what was wrong and not what is right."""

    def retold(self, event: Closing, state: State) -> str:
        """A bare complaint where the arguments are a value, but not an object."""
        said = read(arguments_of(event, state))
        if event.code != "INVALID_ARGS" or not isinstance(said, Value):
            return event.result.content
        if isinstance(said.value, dict):
            return event.result.content
        return f"INVALID_ARGS: received a {type(said.value).__name__}"


class HidesTheShape(Agent):
    """Keeps the expected shape to itself."""

    recording = Tight


MUTANT = Mutant(
    name="hides-the-shape",
    does="does not say that an object is expected, nor with which parameters",
    claims=("P5",),
    breaks=("failure_explained",),
    agent=HidesTheShape,
    scenarios=("*-instead-of-an-object", "double-encoded"),
)
