"""The model writes two argument objects into one call, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import compact, last_call, with_arguments
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class GluedObjects(Fault):
    """The last call's arguments are followed by a second object without any separator."""

    kind: Literal["glued_objects"] = "glued_objects"
    second: dict[str, object]
    """The object that follows."""

    def say(self, reply: Reply) -> Reply:
        """The same reply with the second object glued on."""
        call = last_call(reply)
        return with_arguments(reply, call.arguments + compact(self.second)) if call else reply
