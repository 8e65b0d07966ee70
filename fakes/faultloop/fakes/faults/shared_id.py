"""All calls of a reply have the id of its first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedId(Fault):
    """One id for several calls; it needs two of them."""

    kind: Literal["shared_id"] = "shared_id"

    def say(self, reply: Reply) -> Reply:
        """The same reply with one id."""
        calls = (replace(call, id=reply.calls[0].id) for call in reply.calls)
        return replace(reply, calls=tuple(calls))
