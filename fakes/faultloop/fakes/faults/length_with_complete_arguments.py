"""The model is cut off by its token limit just after its calls happen to be complete."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthWithCompleteArguments(Fault):
    """Everything parses and fits its schema, and still the finish reason is `length`."""

    kind: Literal["length_with_complete_arguments"] = "length_with_complete_arguments"

    def say(self, reply: Reply) -> Reply:
        """The same reply with finish reason `length`."""
        return replace(reply, finish="length") if reply.calls else reply
