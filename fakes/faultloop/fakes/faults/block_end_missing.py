"""No block of a stream ends, as adapters leave it that translate one dialect into another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Item, Unclosed


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockEndMissing(Fault):
    """Where a dialect marks the end of a text or call, the mark is left out; the reply ends."""

    kind: Literal["block_end_missing"] = "block_end_missing"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same without ends of blocks."""
        return (Unclosed(), *items)
