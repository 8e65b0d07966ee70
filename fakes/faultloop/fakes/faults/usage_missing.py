"""A stream does not say how many tokens it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Item, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageMissing(Fault):
    """No counts come, though they were asked for."""

    kind: Literal["usage_missing"] = "usage_missing"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same without counts."""
        return tuple(item for item in items if not isinstance(item, Usage))
