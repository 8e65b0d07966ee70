"""The ids of calls are counted anew in every reply, so that each comes again in the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedIds(Fault):
    """`call_0`, `call_1`, ... in place of ids that occur once; put it at two steps or more."""

    kind: Literal["counted_ids"] = "counted_ids"
    prefix: str = "call_"
    """What stands before the number."""

    def say(self, reply: Reply) -> Reply:
        """The same reply with other ids."""
        calls = (
            replace(call, id=f"{self.prefix}{number}") for number, call in enumerate(reply.calls)
        )
        return replace(reply, calls=tuple(calls))
