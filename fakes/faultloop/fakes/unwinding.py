"""Looking into suspended coroutines: where they wait, and how to be rid of them for good.

A suspended coroutine that is thrown away runs its `finally` clauses: Python closes it. There is no
way around that but to keep it for ever, so it is done once, at a chosen moment, in the coroutine's
own context, with nobody listening (see `clock.SimLoop.dissolve`).
"""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Iterable
from contextvars import Context
from typing import Any

CLOSINGS_MAX = 100
"""A coroutine that awaits in its `finally` refuses to close; each further try goes one await on."""

_undying: list[Any] = []
"""Coroutines that never close (`while True: try: await ... except: pass`): leaked on purpose."""


def unwind(
    tasks: Iterable[tuple[asyncio.Task[Any], Context]], loop: asyncio.AbstractEventLoop
) -> None:
    """Close the coroutines of tasks that will never run again; nothing is reported or raised.

    They find their own closed `loop` running. Without one, asyncio makes a new loop for whoever
    asks in a `finally` (`gather` does), and that one would never be closed.
    """
    with warnings.catch_warnings():
        # Clean-up that calls a coroutine function which can no longer be awaited.
        warnings.simplefilter("ignore")
        asyncio._set_running_loop(loop)
        try:
            for task, context in tasks:
                task._log_destroy_pending = False  # type: ignore[attr-defined]  # its own switch
                _close(task.get_coro(), context)
        finally:
            asyncio._set_running_loop(None)


def _close(coro: Any, context: Context) -> None:
    for _ in range(CLOSINGS_MAX):
        try:
            context.run(coro.close)
        except (Exception, asyncio.CancelledError):
            # Either its clean-up failed, and then it is closed; or it awaits once more.
            if _frame(coro) is None:
                return
        else:
            return
    _undying.append(coro)


def place(coro: Any) -> str:
    """`file.py:12 in name`: the innermost line outside asyncio at which `coro` is suspended."""
    found = "an unknown place"
    while (frame := _frame(coro)) is not None:
        if not str(frame.f_globals.get("__name__", "")).startswith("asyncio."):
            found = f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_qualname}"
        coro = getattr(coro, "cr_await", None) or getattr(coro, "gi_yieldfrom", None)
    return found


def _frame(coro: Any) -> Any:
    return getattr(coro, "cr_frame", None) or getattr(coro, "gi_frame", None)
