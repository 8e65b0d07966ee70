"""The pieces of several calls come in turns, as some gateways send parallel calls."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import CallArguments, CallBegan, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class InterleavedCalls(Fault):
    """Each piece still says which call it belongs to; only trust in their order goes wrong."""

    kind: Literal["interleaved_calls"] = "interleaved_calls"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """One piece of each call after the other; unchanged where there are fewer than two."""
        piles: dict[int, list[Item]] = {}
        places: list[int] = []
        for place, item in enumerate(items):
            if isinstance(item, CallBegan | CallArguments):
                places.append(place)
                piles.setdefault(item.index, []).append(item)
        if len(piles) < 2:
            return items
        rounds = chain.from_iterable(zip_longest(*piles.values()))
        mixed = tuple(item for item in rounds if item is not None)
        return (*items[: places[0]], *mixed, *items[places[-1] + 1 :])
