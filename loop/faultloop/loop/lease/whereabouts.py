"""Which process this is, and whether another is provably gone.

A pid says nothing by itself: it is used again after a while, after a boot, and in every container.
So it goes together with its place (this boot of this machine, this process table) and the moment
at which the process began. Where any of this is unknown, nothing is proven, and the expiry decides.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import NamedTuple

from faultloop.loop.lease.port import Holder

PROC = Path("/proc")
STATE, BEGAN = 0, 19
"""Fields of /proc/PID/stat behind the name, which may hold anything: its state, when it began."""
ENDED = frozenset("ZXx")
"""An entry for its parent to collect is no process any more."""


class Process(NamedTuple):
    """A process, told apart from all others."""

    pid: int
    host: str
    place: str
    began: str


def this_process() -> Process:
    """Of whoever calls; a fork is another."""
    pid = os.getpid()
    return Process(pid=pid, host=socket.gethostname(), place=_place(), began=_stat(pid, BEGAN))


def is_gone(holder: Holder) -> bool:
    """Whether the process of this holder has certainly ended."""
    place = _place()
    if not place or place != holder.place:
        return False
    if not (PROC / str(holder.pid)).exists():
        return True
    if _stat(holder.pid, STATE) in ENDED:
        return True
    began = _stat(holder.pid, BEGAN)
    return bool(began and holder.began) and began != holder.began


def _place() -> str:
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
        table = (PROC / "self/ns/pid").readlink()
    except OSError:
        return ""
    return f"{boot} {table}"


def _stat(pid: int, field: int) -> str:
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[field]
    except (OSError, IndexError):
        return ""
