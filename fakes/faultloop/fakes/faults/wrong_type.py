"""The model gives an argument a value of another type than the schema asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import with_field
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongType(Fault):
    """One argument of the last call has a wrong value; it must be among the scripted ones."""

    kind: Literal["wrong_type"] = "wrong_type"
    field: str
    """Name of the argument."""
    value: object
    """What is said instead, as a JSON value."""

    def say(self, reply: Reply) -> Reply:
        """The same reply with that one value replaced."""
        return with_field(reply, self.field, self.value)
