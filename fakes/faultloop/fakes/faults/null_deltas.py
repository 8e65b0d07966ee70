"""Events whose delta is null stand between those of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Item, Noise


@dataclass(frozen=True, slots=True, kw_only=True)
class NullDeltas(Fault):
    """One before every event: where something new should be, there is `null`."""

    kind: Literal["null_deltas"] = "null_deltas"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with noise."""
        noise = Noise("null_delta")
        return tuple(each for item in items for each in (noise, item))
