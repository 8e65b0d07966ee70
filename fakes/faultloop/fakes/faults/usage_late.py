"""A stream says how many tokens it took after its end mark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Item, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageLate(Fault):
    """The counts are the last thing that comes."""

    kind: Literal["usage_late"] = "usage_late"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with the counts behind all else; unchanged where there are none."""
        counts = tuple(item for item in items if isinstance(item, Usage))
        return (*(item for item in items if not isinstance(item, Usage)), *counts)
