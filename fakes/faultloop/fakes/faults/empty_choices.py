"""Events without any choice stand between those of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import Item, Noise


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptyChoices(Fault):
    """One before every event: a well-formed frame around nothing."""

    kind: Literal["empty_choices"] = "empty_choices"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with noise."""
        noise = Noise("no_choices")
        return tuple(each for item in items for each in (noise, item))
