"""The stream ends, properly framed, before the finish reason: whatever was said is complete."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Eof, Finished, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class EndsWithoutFinish(Fault):
    """Text and arguments are whole, but nothing says that they are."""

    kind: Literal["ends_without_finish"] = "ends_without_finish"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The sequence up to its finish reason."""
        end = next((at for at, item in enumerate(items) if isinstance(item, Finished)), None)
        return items if end is None else (*items[:end], Eof())
