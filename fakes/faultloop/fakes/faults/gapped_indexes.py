"""The indexes of a stream's calls have gaps, as where an adapter counts other blocks as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import CallArguments, CallBegan, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class GappedIndexes(Fault):
    """The first call has index 1, the second 3, and so on: an index is a name, not a place."""

    kind: Literal["gapped_indexes"] = "gapped_indexes"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with other indexes; unchanged where there is no call."""
        return tuple(
            replace(item, index=2 * item.index + 1)
            if isinstance(item, CallBegan | CallArguments)
            else item
            for item in items
        )
