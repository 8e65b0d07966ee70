"""A stream's calls come without ids, as some adapters leave them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import CallBegan, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingId(Fault):
    """Neither when a call begins nor later is its id said."""

    kind: Literal["missing_id"] = "missing_id"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same without ids; unchanged where there is no call."""
        return tuple(
            replace(item, id=None) if isinstance(item, CallBegan) else item for item in items
        )
