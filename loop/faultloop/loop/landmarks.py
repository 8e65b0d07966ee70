"""Landmarks: named places that the loop announces and where a bench may stop it.

They replace sleeping and monkeypatching for "crash between execute and record". In production they
cost one call that returns at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from faultloop.loop.events import AnyEvent


class Landmarks(Protocol):
    """Somebody who wants to know where the loop is.

    `reach` may wait as long as it likes, and never return (a simulated crash); it must not raise.
    Names: `before_journal`, `after_journal`, once around each append.
    """

    async def reach(self, name: str, events: Sequence[AnyEvent] = ()) -> None:
        """The loop is at this place; `events` are what the append holds."""
        ...


class Silent:
    """Nobody."""

    async def reach(self, name: str, events: Sequence[AnyEvent] = ()) -> None:
        """Return at once."""


SILENT: Landmarks = Silent()
