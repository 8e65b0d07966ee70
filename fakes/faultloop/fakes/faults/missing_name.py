"""The last call of a stream comes without the name of its tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import CallBegan, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingName(Fault):
    """Its id and its arguments are there; what is to be called is never said."""

    kind: Literal["missing_name"] = "missing_name"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same without the last call's name; unchanged where there is no call."""
        last = max((item.index for item in items if isinstance(item, CallBegan)), default=None)
        return tuple(
            replace(item, tool=None) if isinstance(item, CallBegan) and item.index == last else item
            for item in items
        )
