"""The stream ends without the dialect's own end mark, after a proper finish reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import EndMark, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class EndMarkMissing(Fault):
    """No `[DONE]`; all that is needed was said."""

    kind: Literal["end_mark_missing"] = "end_mark_missing"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same sequence without its end mark."""
        return tuple(item for item in items if not isinstance(item, EndMark))
