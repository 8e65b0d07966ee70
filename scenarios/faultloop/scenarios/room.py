"""Room on the disk: whether what a subject writes for the bench to read can have been written.

What a process says of itself comes by files, and on a full disk a file just stays empty: the bench
would take a loop that did well for one that said nothing. So the folder of the plays is looked at
before the first and after every start; where room is short, nothing is concluded from that start.
The disk is at fault, which is to say its owner: neither the subject nor the scenario.
"""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

SPARE_BYTES = 8 * 2**20
"""Less than this is short of room: the plays under way at once write about a tenth of it."""
PROBE_BYTES = 64 * 2**10
"""What a look writes: quotas and limits of a file's size show only when something is written."""

CAUSES = {
    errno.ENOSPC: "the disk is full",
    errno.EFBIG: "a file would become larger than is allowed",
    errno.EDQUOT: "the disk quota is used up",
    errno.EACCES: "it is not allowed to be written",
    errno.EPERM: "it is not allowed to be written",
    errno.EROFS: "its file system is read-only",
    errno.ENOTDIR: "a part of its path is a file, not a folder",
    errno.EEXIST: "there is a file of that name",
}
NO_ROOM = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS})
"""Errors of writing that say nothing about what was to be written."""


class NoRoom(Exception):
    """Plays cannot be made in the temporary folder; its owner can mend that."""


def why(error: OSError) -> str:
    """The cause in plain words."""
    return CAUSES.get(error.errno or 0, (error.strerror or str(error)).lower())


def look(folder: Path) -> None:
    """Raise NoRoom where what is to be written below this folder might not fit."""
    probe = folder / ".room"
    try:
        left = os.statvfs(folder)
        probe.write_bytes(bytes(PROBE_BYTES))
    except OSError as error:
        raise _no_room(folder, why(error)) from error
    finally:
        with contextlib.suppress(OSError):
            probe.unlink(missing_ok=True)
    free = left.f_bavail * left.f_frsize
    if free < SPARE_BYTES:
        raise _no_room(folder, f"{free // 1000} kB are left, less than {SPARE_BYTES // 1000} kB")


@contextlib.contextmanager
def told(folder: Path) -> Iterator[None]:
    """Turn what says that a disk is full into NoRoom; every other error passes."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise _no_room(folder, why(error)) from error
        raise


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder for plays, looked at and gone afterwards. Raises NoRoom."""
    try:
        made = tempfile.TemporaryDirectory(prefix="faultloop-", ignore_cleanup_errors=True)
    except OSError as error:  # with every place that Python looks for, where none can be written
        raise NoRoom(
            f"no temporary folder can be made for plays: {why(error)}; name another place in TMPDIR"
        ) from error
    with made as name:
        look(Path(name))
        yield Path(name)


def _no_room(folder: Path, cause: str) -> NoRoom:
    return NoRoom(
        f"plays cannot be made in {folder}: {cause}. What a loop writes there for the bench may be "
        "lost, so nothing is concluded from the plays that were under way: make room, or name "
        "another place in TMPDIR"
    )
