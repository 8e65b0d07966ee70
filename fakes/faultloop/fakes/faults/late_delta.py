"""A piece of what was said comes once more, after the finish reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import CallArguments, Finished, Item, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class LateDelta(Fault):
    """The last piece of text or arguments again, when its block and the reply are over."""

    kind: Literal["late_delta"] = "late_delta"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with the straggler; unchanged where nothing is said or nothing is finished."""
        said = [item for item in items if isinstance(item, Text | CallArguments)]
        shaped: list[Item] = []
        for item in items:
            shaped.append(item)
            if isinstance(item, Finished):
                shaped += said[-1:]
        return tuple(shaped)
