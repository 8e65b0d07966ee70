"""A loop that reads arguments by any means: takes fences off, evaluates, ignores what follows."""

import ast
import json
from typing import Any

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


def nearly(text: str) -> Any:
    """What somebody may have meant."""
    bare = text.strip().removeprefix("```json").removesuffix("```").strip()
    try:
        value, _ = json.JSONDecoder().raw_decode(bare)
    except ValueError:
        try:
            value = ast.literal_eval(bare)
        except (ValueError, SyntaxError):
            return None
    return value


class Obliging(Executing):
    """Runs what was nearly said."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """What the reference says of the object that it found."""
        found = nearly(record.arguments)
        if isinstance(found, dict):
            record = msgspec.structs.replace(record, arguments=json.dumps(found))
        return await super().check(record, signal)


class ReadsWhatIsNearlyJson(Agent):
    """Never complains."""

    executing = Obliging


MUTANT = Mutant(
    name="reads-what-is-nearly-json",
    does="evaluates Python, takes fences off and ignores what follows, for tools with effects too",
    claims=("P4", "P2"),
    breaks=("arguments_exact", "end_acceptable"),
    agent=ReadsWhatIsNearlyJson,
    scenarios=("python-literal", "fence-*", "prose-*"),
)
