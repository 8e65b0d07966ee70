"""The place of a journal in files: its trouble in words, and whether the file is still there.

An error of the operating system is never the content's fault. It becomes one sentence that names
the file and says what to do. A file that was removed or replaced while it is open takes writes
without complaint and loses them, so a store looks before each append.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from faultloop.loop.journal.port import JournalUnusable, LeaseLost

DISK_FULL = "the disk is full. Make room, then open the session again"
NO_RIGHT = (
    "this process may not use it. Give it the right to read and write the file and its folder"
)
NO_FILE = "it cannot be opened. Its folder must exist, and it must be a file"
TOO_LARGE = "it has grown to the limit for files. Raise the limit, then open the session again"
WRITTEN = (
    "another process has written to it since it was opened here. Only one may at a time: end the"
    " other, then open the session again"
)
WRITING = (
    "another process is writing to it. Only one may at a time: end the other, or give this session"
    " a journal of its own"
)
REMOVED = "it was removed or replaced while it was open. Put it back, then open the session again"
CLOSED = "it was closed before. Open the session again"
DISK_FAILED = "the disk failed, or is full. Look after it, then open the session again"

BY_ERRNO: Mapping[int, str] = MappingProxyType(
    {
        errno.ENOSPC: DISK_FULL,
        errno.EDQUOT: DISK_FULL,
        errno.EFBIG: TOO_LARGE,
        errno.EACCES: NO_RIGHT,
        errno.EPERM: NO_RIGHT,
        errno.EROFS: "its disk is mounted for reading only. Keep the journal on another",
        errno.ENOENT: NO_FILE,
        errno.ENOTDIR: NO_FILE,
        errno.EISDIR: NO_FILE,
        errno.EMFILE: "this process has too many files open. Close some, or raise the limit",
        errno.EIO: DISK_FAILED,
    }
)
"""What to do, by the number of the operating system's error."""


def unusable(path: Path, advice: str, error: object = None) -> JournalUnusable:
    """The trouble as one sentence; `error` is quoted behind it."""
    quoted = "" if error is None else f" ({error})"
    return JournalUnusable(f"the journal {path} cannot be used: {advice}{quoted}")


def refused(path: Path, error: OSError) -> JournalUnusable:
    """The trouble that an error of the operating system is."""
    return unusable(path, BY_ERRNO.get(error.errno or 0, DISK_FAILED), error)


def make(path: Path) -> int:
    """Open or create a file for reading and writing; what was said is its owner's alone to read."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def is_still(path: Path, opened: os.stat_result) -> bool:
    """Whether the file that was opened is still the one that others find under its name."""
    try:
        there = path.stat()
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (opened.st_dev, opened.st_ino)


def refuse_late(path: Path, token: int, *, fenced: int) -> None:
    """Raise LeaseLost for whoever comes with a smaller token than the fence has (SPEC L14)."""
    if fenced > token:
        raise LeaseLost(
            f"{path} was taken over by another process: its fence is at {fenced}, and this one"
            f" came with {token}. Nothing was written"
        )
