"""All calls of a stream have index 0, as several local servers number them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import CallArguments, CallBegan, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class SameIndex(Fault):
    """What is left to tell calls apart is that each begins with an id and a name of its own."""

    kind: Literal["same_index"] = "same_index"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with one index; unchanged where there are fewer than two calls."""
        return tuple(
            replace(item, index=0) if isinstance(item, CallBegan | CallArguments) else item
            for item in items
        )
