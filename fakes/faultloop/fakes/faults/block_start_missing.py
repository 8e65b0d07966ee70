"""The last call of a stream never begins: only its arguments come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import CallArguments, CallBegan, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockStartMissing(Fault):
    """Pieces of arguments for a call of which neither id nor name is ever said."""

    kind: Literal["block_start_missing"] = "block_start_missing"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same without the last call's beginning; unchanged where no call has arguments."""
        last = max((item.index for item in items if isinstance(item, CallArguments)), default=None)
        return tuple(
            item for item in items if not (isinstance(item, CallBegan) and item.index == last)
        )
