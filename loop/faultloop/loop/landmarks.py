"""Landmarks: named places that the loop announces and where a bench may stop it.

They replace sleeping and monkeypatching for "crash between execute and record". In production they
cost one call that returns at once.
"""

from __future__ import annotations

from typing import Protocol


class Landmarks(Protocol):
    """Somebody who wants to know where the loop is.

    `reach` may wait as long as it likes, and never return (a simulated crash); it must not raise.
    Names: `before_journal`, `after_journal`, once around each append.
    """

    async def reach(self, name: str) -> None:
        """The loop is at this place."""
        ...


class Silent:
    """Nobody."""

    async def reach(self, name: str) -> None:
        """Return at once."""


SILENT: Landmarks = Silent()
