"""Looking on: which conversations have changed, for whoever watches.

A watcher is told names, not entries: what it has not fetched yet is one name however much happened,
so a page that sleeps costs nothing and loses nothing. What has changed is read from the history.
"""

from __future__ import annotations

import asyncio

PAUSE_S = 0.1
"""Ten times a second is enough for eyes."""


class Watcher:
    """Somebody who looks on."""

    def __init__(self) -> None:
        self._changed: dict[str, None] = {}
        self._woken = asyncio.Event()

    def changed(self, name: str) -> None:
        """A conversation has changed, begun or ended."""
        self._changed[name] = None
        self._woken.set()

    async def changes(self, gone: asyncio.Event) -> list[str]:
        """The names of those that have changed since the last time; none once `gone`."""
        waits = [asyncio.ensure_future(event.wait()) for event in (self._woken, gone)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if gone.is_set():
            return []
        self._woken.clear()
        names = list(self._changed)
        self._changed.clear()
        return names
