"""The model calls a tool that does not exist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class HallucinatedName(Fault):
    """The last call goes to another name."""

    kind: Literal["hallucinated_name"] = "hallucinated_name"
    name: str
    """The tool that is called instead."""

    def say(self, reply: Reply) -> Reply:
        """The same reply with its last call misnamed."""
        if not reply.calls:
            return reply
        return replace(reply, calls=(*reply.calls[:-1], replace(reply.calls[-1], tool=self.name)))
