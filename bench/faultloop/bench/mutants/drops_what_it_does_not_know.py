"""A loop that filters arguments by the schema's names, so that a misspelt one is simply gone."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.arguments import canonical
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal
from faultloop.loop.strict_json import Value, read


class Filtering(Executing):
    """Passes on only what the tool declares."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """What the reference says, or what it says of the declared part."""
        checked = await super().check(record, signal)
        if not isinstance(checked, Refused) or checked.contract is None:
            return checked
        said = read(record.arguments)
        if not isinstance(said, Value) or not isinstance(said.value, dict):
            return checked
        known = {k: v for k, v in said.value.items() if k in checked.contract.properties}
        return await super().check(
            msgspec.structs.replace(record, arguments=canonical(known)), signal
        )


class DropsWhatItDoesNotKnow(Agent):
    """Ignores what it cannot place."""

    executing = Filtering


MUTANT = Mutant(
    name="drops-what-it-does-not-know",
    does="drops a misspelt parameter, so that its dangerous default fills in",
    claims=("P4", "C3"),
    breaks=("arguments_exact",),
    agent=DropsWhatItDoesNotKnow,
    scenarios=("unknown-parameter-is-not-dropped", "missing-field-is-explained"),
)
