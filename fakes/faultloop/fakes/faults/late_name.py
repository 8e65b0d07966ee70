"""The names of a stream's calls come last, after all of their arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import CallArguments, CallBegan, Item

_OF_CALLS = (CallBegan, CallArguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class LateName(Fault):
    """A call begins without its name; that is said when its last piece of arguments was."""

    kind: Literal["late_name"] = "late_name"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with each name at its call's end; unchanged where there is no call."""
        lasts = {item.index: at for at, item in enumerate(items) if isinstance(item, _OF_CALLS)}
        began: dict[int, CallBegan] = {}
        shaped: list[Item] = []
        for at, item in enumerate(items):
            if isinstance(item, CallBegan):
                began[item.index] = item
                shaped.append(replace(item, tool=None))
            else:
                shaped.append(item)
            if isinstance(item, _OF_CALLS) and lasts[item.index] == at and item.index in began:
                call = began[item.index]
                shaped.append(CallBegan(call.index, None, call.tool))
        return tuple(shaped)
