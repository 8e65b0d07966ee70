"""Saying last what belongs at a call's beginning: what the faults of ids and names share."""

from __future__ import annotations

from collections.abc import Callable

from faultloop.fakes.reply import CallArguments, CallBegan, Item

_OF_CALLS = (CallBegan, CallArguments)


def said_last(
    items: tuple[Item, ...],
    first: Callable[[CallBegan], CallBegan],
    last: Callable[[CallBegan], CallBegan],
) -> tuple[Item, ...]:
    """Each call begins as `first` has it, and `last` comes after its last piece of arguments."""
    lasts = {item.index: at for at, item in enumerate(items) if isinstance(item, _OF_CALLS)}
    began: dict[int, CallBegan] = {}
    shaped: list[Item] = []
    for at, item in enumerate(items):
        if isinstance(item, CallBegan):
            began[item.index] = item
            shaped.append(first(item))
        else:
            shaped.append(item)
        if isinstance(item, _OF_CALLS) and lasts[item.index] == at and item.index in began:
            shaped.append(last(began[item.index]))
    return tuple(shaped)
