"""Comments stand between the events of a stream, to keep its connection alive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Item, Noise


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepAlives(Fault):
    """A comment before every event; it is no event and no data."""

    kind: Literal["keep_alives"] = "keep_alives"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with noise."""
        noise = Noise("comment")
        return tuple(each for item in items for each in (noise, item))
