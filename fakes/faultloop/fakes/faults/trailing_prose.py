"""The model goes on talking after its arguments, inside of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import last_call, with_arguments
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailingProse(Fault):
    """The last call's arguments are one good object and then a sentence."""

    kind: Literal["trailing_prose"] = "trailing_prose"
    text: str = "\n\nThis should do what you asked for."
    """What follows the object."""

    def say(self, reply: Reply) -> Reply:
        """The same reply with the sentence after its last arguments."""
        call = last_call(reply)
        return with_arguments(reply, call.arguments + self.text) if call else reply
