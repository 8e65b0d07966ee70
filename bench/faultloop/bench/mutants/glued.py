"""What mutants that run glued argument objects of a tool with effects have in common."""

import json
from typing import Any

import msgspec

from faultloop.loop.arguments import canonical
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.executing import Executing
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal


def objects_in(text: str) -> list[dict[str, Any]]:
    """The JSON objects of which a text is made, one after the other."""
    found, rest, decoder = list[dict[str, Any]](), text.strip(), json.JSONDecoder()
    while rest.startswith("{"):
        try:
            value, end = decoder.raw_decode(rest)
        except ValueError:
            return []
        found.append(value)
        rest = rest[end:].lstrip()
    return found


class Splitting(Executing):
    """Takes the first of several objects, and says nothing of it."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """What the reference says of the first object."""
        objects = objects_in(record.arguments)
        if len(objects) < 2:
            return await super().check(record, signal)
        first = msgspec.structs.replace(record, arguments=canonical(objects[0]))
        checked = await super().check(first, signal)
        if not isinstance(checked, Ready):
            return checked
        return msgspec.structs.replace(checked, record=record)
