"""Process sessions: finding and ending every process that a start has left behind.

A session (setsid), not a process group, because children outlive the group of a shell. What calls
setsid itself escapes from it and is known by the environment that it was executed with: the state
directory in it belongs to one play of one run of the bench. What calls setsid and clears its
environment is not found; that is a known limit. Zombies count as gone: nothing of them can run.

Every signal of ours goes through `send`: 0, -1 and 1 are not processes of anybody's subject but all
of ours, everybody's and the machine's, and whoever names one is answered with an exception.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil

_PROC = Path("/proc")
"""psutil reads the same there, several times slower. Where it is missing, psutil knows how."""
_ROUNDS_MAX = 200
_PAUSE_S = 0.01
"""Between two looks; the kernel needs a moment to end what was killed."""


def send(pid: int, number: signal.Signals, *, group: bool = False) -> None:
    """Signal a process, or its group. Raises ProcessLookupError where there is none any more."""
    if pid <= 1 or pid == os.getpid() or (group and pid == os.getpgid(0)):
        raise ValueError(f"{pid} is no process of a subject; nothing was sent to it")
    (os.killpg if group else os.kill)(pid, number)


def is_descendant(pid: int, ancestor: int) -> bool | None:
    """Whether a process is a child of another, or of a child of it; None where it is gone."""
    try:
        return any(parent.pid == ancestor for parent in psutil.Process(pid).parents())
    except psutil.Error:
        return None


def leads(pid: int) -> bool | None:
    """Whether a process leads a session of its own; None where it is gone."""
    session = _session_of(pid)
    return None if session is None else session == pid


def members(session: int) -> list[int]:
    """Ids of the processes of a session that can still run, the leader's included."""
    return [pid for pid in psutil.pids() if _session_of(pid) == session and _can_run(pid)]


def queued_s(session: int) -> float | None:
    """How long it was ready and waited for a processor since it began: of each process that is
    still there the thread that waited longest, and all of these in sum, for one process of a
    subject mostly waits for another. None where the kernel does not say of each
    (`/proc/PID/task/TID/schedstat`, Linux)."""
    waits = [
        max(map(_queued_ns, (_PROC / str(pid) / "task").glob("*/schedstat")), default=None)
        for pid in members(session)
    ]
    known = [wait_ns for wait_ns in waits if wait_ns is not None]
    return sum(known) / 1e9 if known and len(known) == len(waits) else None


def _queued_ns(file: Path) -> int:
    """0 for a thread that is over by now."""
    try:
        return int(file.read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0


async def end(session: int) -> int:
    """SIGKILL every process of a session until none is left; says how many it found at first.

    Raises RuntimeError where something survives SIGKILL (a process in uninterruptible sleep), and
    ValueError where it is our own session, or nobody's.
    """
    _refuse_ours(session)
    return await _end(lambda: members(session))


async def end_remains(session: int, variable: tuple[str, str], *, within_s: float) -> int:
    """The same for a session whose leader is over, and for what has escaped from it.

    What ends by itself within `within_s` is nothing that was left.
    """
    _refuse_ours(session)

    def left() -> list[int]:
        return list({*members(session), *escaped(*variable)})

    until_s = time.monotonic() + within_s
    while left() and time.monotonic() < until_s:
        await asyncio.sleep(_PAUSE_S)
    return await _end(left)


async def _end(find: Callable[[], list[int]]) -> int:
    left = find()
    found = len(left)
    for round_number in range(_ROUNDS_MAX):
        if not left:
            return found
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                send(pid, signal.SIGKILL)
        await asyncio.sleep(_PAUSE_S if round_number else 0)
        left = find()
    raise RuntimeError(f"processes {left} survive SIGKILL")


def escaped(name: str, value: str) -> list[int]:
    """Ids of living processes, in whatever session, that were executed with this variable.

    Looks at every process of this machine that it may look at: about 20 microseconds for each.
    """
    mark = f"{name}={value}".encode()
    return [pid for pid in psutil.pids() if mark in _environment(pid) and _can_run(pid)]


def _refuse_ours(session: int) -> None:
    if session <= 1 or session == os.getsid(0):
        raise ValueError(f"{session} is no session of a subject; nothing in it was ended")


def _environment(pid: int) -> list[bytes]:
    """What a process was executed with; nothing where it is another user's, or over."""
    try:
        if _PROC.is_dir():
            return (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
        said = psutil.Process(pid).environ()
    except (OSError, psutil.Error):
        return []
    return [f"{name}={value}".encode() for name, value in said.items()]


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
