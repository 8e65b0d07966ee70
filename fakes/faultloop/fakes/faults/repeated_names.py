"""A call's id and name come with every piece of its arguments, as several gateways send them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.reply import CallArguments, CallBegan, Item


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedNames(Fault):
    """Before each piece of arguments the call begins again, with the same index, id and name."""

    kind: Literal["repeated_names"] = "repeated_names"

    def shape(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The same with repetitions; unchanged where no call has arguments."""
        began: dict[int, CallBegan] = {}
        shaped: list[Item] = []
        for before, item in zip((None, *items), items, strict=False):
            if isinstance(item, CallBegan):
                began[item.index] = item
            elif isinstance(item, CallArguments) and not isinstance(before, CallBegan):
                shaped += [began[item.index]] if item.index in began else []
            shaped.append(item)
        return tuple(shaped)
