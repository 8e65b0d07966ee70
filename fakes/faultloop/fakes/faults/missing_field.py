"""The model forgets an argument that the schema may well require."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import without_field
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingField(Fault):
    """One argument of the last call is left out; it must be among the scripted ones."""

    kind: Literal["missing_field"] = "missing_field"
    field: str
    """Name of the argument."""

    def say(self, reply: Reply) -> Reply:
        """The same reply without that argument."""
        return without_field(reply, self.field)
