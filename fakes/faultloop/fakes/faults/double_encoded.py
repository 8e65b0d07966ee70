"""The model encodes its arguments twice: a JSON string that holds JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import compact, last_call, with_arguments
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleEncoded(Fault):
    """The last call's arguments are a JSON string in place of an object."""

    kind: Literal["double_encoded"] = "double_encoded"

    def say(self, reply: Reply) -> Reply:
        """The same reply with its last arguments encoded once more."""
        call = last_call(reply)
        return with_arguments(reply, compact(call.arguments)) if call else reply
