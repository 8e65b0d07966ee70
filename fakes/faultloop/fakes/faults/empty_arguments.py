"""The model ends a call without any arguments: an empty string, not `{}`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import with_arguments
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptyArguments(Fault):
    """The last call's arguments are the empty string."""

    kind: Literal["empty_arguments"] = "empty_arguments"

    def say(self, reply: Reply) -> Reply:
        """The same reply with its last arguments left out."""
        return with_arguments(reply, "") if reply.calls else reply
