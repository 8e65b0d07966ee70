"""Process sessions: finding and ending every process that a start has left behind.

A session (setsid), not a process group, because children outlive the group of a shell. What calls
setsid itself escapes; that is a known limit. Zombies count as gone: nothing of them can run.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal

import psutil

_ROUNDS_MAX = 200
_PAUSE_S = 0.01
"""Between two looks; the kernel needs a moment to end what was killed."""


def members(session: int) -> list[int]:
    """Ids of the processes of a session that can still run, the leader's included."""
    return [pid for pid in psutil.pids() if _session_of(pid) == session and _can_run(pid)]


async def end(session: int) -> int:
    """SIGKILL every process of a session until none is left; says how many it found at first.

    Raises RuntimeError where something survives SIGKILL (a process in uninterruptible sleep).
    """
    left = members(session)
    found = len(left)
    for round_number in range(_ROUNDS_MAX):
        if not left:
            return found
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(_PAUSE_S if round_number else 0)
        left = members(session)
    raise RuntimeError(f"processes {left} of session {session} survive SIGKILL")


def escaped(name: str, value: str) -> list[int]:
    """Ids of living processes, in whatever session, whose environment has this variable.

    Finds children of a subject that have called setsid themselves; looks at every process of this
    machine that it may look at, so not for every play.
    """
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get(name) == value and _can_run(process.pid):
                found.append(process.pid)
    return found


def _session_of(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except (ProcessLookupError, PermissionError):
        return None


def _can_run(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.Error:
        return False
