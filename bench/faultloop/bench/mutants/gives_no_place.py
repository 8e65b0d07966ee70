"""A loop that says of broken JSON that it is broken, and nothing else."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.retelling import Closing, Retelling, arguments_of
from faultloop.loop.engine import Agent
from faultloop.loop.state import State
from faultloop.loop.strict_json import NotJSON, read


class Curt(Retelling):
    """Names neither line nor column, and quotes nothing."""

    def retold(self, event: Closing, state: State) -> str:
        """A bare complaint where the text is no JSON."""
        broken = event.code == "INVALID_ARGS" and isinstance(
            read(arguments_of(event, state)), NotJSON
        )
        return "INVALID_ARGS: this is not valid JSON" if broken else event.result.content


class GivesNoPlace(Agent):
    """Lets the model look for the mistake."""

    recording = Curt


MUTANT = Mutant(
    name="gives-no-place",
    does="says that arguments are not JSON, but neither where nor what was received",
    claims=("P7",),
    breaks=("failure_explained",),
    agent=GivesNoPlace,
    scenarios=("*-is-explained", "two-effects-in-one-call"),
)
