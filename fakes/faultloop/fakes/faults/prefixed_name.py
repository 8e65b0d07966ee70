"""The model puts a prefix before a tool's name that belongs to a provider or a gateway."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.last_call import last_call, with_name
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefixedName(Fault):
    """The last call goes to `functions.NAME`, `default_api:NAME`, `mcp__server__NAME` and such."""

    kind: Literal["prefixed_name"] = "prefixed_name"
    prefix: str = "functions."
    """What stands before the name."""

    def say(self, reply: Reply) -> Reply:
        """The same reply with its last call's name prefixed."""
        call = last_call(reply)
        return with_name(reply, self.prefix + call.tool) if call else reply
