"""Chunks without content stand between those that have some, as keep-alives do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import CallArguments, Item, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptyChunks(Fault):
    """An empty piece before each piece of text or arguments: it says nothing, and ends nothing."""

    kind: Literal["empty_chunks"] = "empty_chunks"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with empty pieces; unchanged where nothing is said."""
        shaped: list[Item] = []
        for item in items:
            if isinstance(item, Text):
                shaped.append(Text(""))
            elif isinstance(item, CallArguments):
                shaped.append(CallArguments(item.index, ""))
            shaped.append(item)
        return tuple(shaped)
