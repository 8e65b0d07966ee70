"""Kinds: the entries of a history by their kind, sorted once for all that looks at them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from faultloop.fakes.history import AnyEntry, Entry

E = TypeVar("E", bound=Entry)


class Kinds:
    """A history, sorted by kind of entry."""

    def __init__(self, history: Iterable[AnyEntry]) -> None:
        self._entries: dict[type[Entry], list[Any]] = {}
        for entry in history:
            self._entries.setdefault(type(entry), []).append(entry)

    def of(self, kind: type[E]) -> list[E]:
        """The entries of one kind, in their order."""
        return self._entries.get(kind, [])
