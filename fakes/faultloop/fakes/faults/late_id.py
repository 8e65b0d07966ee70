"""The ids of a stream's calls come last, after all of their arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.late import said_last
from faultloop.fakes.reply import CallBegan, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class LateId(Fault):
    """A call begins without its id; that is said when its last piece of arguments was."""

    kind: Literal["late_id"] = "late_id"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with each id at its call's end; unchanged where there is no call."""
        return said_last(
            items,
            first=lambda call: CallBegan(call.index, None, call.tool),
            last=lambda call: CallBegan(call.index, call.id, None),
        )
