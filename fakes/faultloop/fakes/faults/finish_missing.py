"""A stream ends with its end mark but never says why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Finished, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishMissing(Fault):
    """No finish reason comes; everything else does, the end mark included."""

    kind: Literal["finish_missing"] = "finish_missing"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same without a finish reason."""
        return tuple(item for item in items if not isinstance(item, Finished))
