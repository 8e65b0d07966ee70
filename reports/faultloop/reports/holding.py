"""Holding a report directory for the life of a run: two in one would delete each other's plays.

The lock is on the directory itself, so there is no file of it to be left behind, and it ends with
the process that holds it, however that ends. Whoever comes second is told who is there.
"""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

from faultloop.reports import kept
from faultloop.reports.reading import KEPT
from faultloop.reports.writing import ReportUnwritable


class Hold:
    """The right to write in a directory, for one process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def take(self) -> None:
        """Hold the directory from now on; once is enough.

        Raises ReportUnwritable where another process does, and OSError.
        """
        if self._descriptor is not None:
            return
        descriptor = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                os.close(descriptor)
                raise ReportUnwritable(
                    self._path,
                    f"another run is writing here ({_who(self._path)}): {self._path}; wait for its "
                    "end, or choose another directory with --report-dir",
                ) from error
            # A file system without locks: as good as it gets there.
        self._descriptor = descriptor

    def release(self) -> None:
        """Let others in."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _who(report: Path) -> str:
    pids = (kept.pid_of(path) for path in sorted(report.glob(KEPT)))
    return next((f"pid {pid}" for pid in pids if pid), "it says not who it is")
