"""Events of a type that nobody has heard of stand between those of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Item, Noise


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownEvents(Fault):
    """One before every event, as gateways and newer versions of an API send them."""

    kind: Literal["unknown_events"] = "unknown_events"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with noise."""
        noise = Noise("unknown_event")
        return tuple(each for item in items for each in (noise, item))
