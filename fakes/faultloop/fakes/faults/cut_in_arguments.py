"""The stream ends, properly framed, in the middle of a call's arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import CallArguments, Eof, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class CutInArguments(Fault):
    """The last call's arguments stop early and no finish reason follows."""

    kind: Literal["cut_in_arguments"] = "cut_in_arguments"
    keep_pieces: int | None = None
    """Pieces of the last call's arguments that still arrive; None: half of them."""

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The sequence up to the cut; unchanged without calls that have arguments."""
        last = max((item.index for item in items if isinstance(item, CallArguments)), default=None)
        if last is None:
            return items
        places = [
            at
            for at, item in enumerate(items)
            if isinstance(item, CallArguments) and item.index == last
        ]
        keep = len(places) // 2 if self.keep_pieces is None else self.keep_pieces
        return items if keep >= len(places) else (*items[: places[keep]], Eof())
