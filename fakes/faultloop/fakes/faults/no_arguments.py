"""The model calls a tool with `{}`, whatever that tool does where nothing is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import last_call, with_arguments
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class NoArguments(Fault):
    """The last call's arguments are an object without members: proper, and all defaults."""

    kind: Literal["no_arguments"] = "no_arguments"

    def say(self, reply: Reply) -> Reply:
        """The same reply with `{}` in its last call."""
        return with_arguments(reply, "{}") if last_call(reply) else reply
