"""To be told when a process is over that is nobody's child here."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress

import psutil


def watch_end(pid: int, ended: Callable[[], None]) -> None:
    """Call `ended` on the running loop, once, when the process is over (zombies are over)."""
    loop = asyncio.get_running_loop()
    if not hasattr(os, "pidfd_open"):  # not Linux
        _watch_by_waiting(pid, ended)
        return
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        loop.call_soon(ended)
        return

    def readable() -> None:
        loop.remove_reader(handle)
        os.close(handle)
        ended()

    loop.add_reader(handle, readable)


def _watch_by_waiting(pid: int, ended: Callable[[], None]) -> None:
    async def wait() -> None:
        with suppress(psutil.NoSuchProcess):
            await asyncio.to_thread(psutil.Process(pid).wait)
        ended()

    _waiting.add(task := asyncio.get_running_loop().create_task(wait()))
    task.add_done_callback(_waiting.discard)


_waiting: set[asyncio.Task[None]] = set()
"""asyncio itself keeps no hold on its tasks."""
