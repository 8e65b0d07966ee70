"""A loop that says that arguments do not fit, and not which of them."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.retelling import Closing, Retelling, arguments_of
from faultloop.loop.engine import Agent
from faultloop.loop.state import State
from faultloop.loop.strict_json import Value, read


class Vague(Retelling):
    """Points at the whole object."""

    def retold(self, event: Closing, state: State) -> str:
        """A bare complaint where an object does not fit the schema."""
        said = read(arguments_of(event, state))
        is_object = isinstance(said, Value) and isinstance(said.value, dict)
        if event.code == "INVALID_ARGS" and is_object:
            return "INVALID_ARGS: the arguments do not match the schema"
        return event.result.content


class NamesNoField(Agent):
    """Lets the model guess which field it was."""

    recording = Vague


MUTANT = Mutant(
    name="names-no-field",
    does="says that arguments do not fit the schema, but not which field",
    claims=("P7",),
    breaks=("failure_explained",),
    agent=NamesNoField,
    scenarios=("*-is-explained", "unknown-parameter-*"),
)
