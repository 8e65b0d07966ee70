"""The terminal that somebody sits at: keys one by one while we have it, and as it was afterwards.

Whatever happens in between (an exception, a signal, a stop by Ctrl-Z), the modes that were found
are put back; after SIGKILL nobody can do that, and `reset` does.
"""

from __future__ import annotations

import os
import signal
import sys
import termios
import tty
from contextlib import suppress
from types import TracebackType
from typing import Any

PASTE_ON, PASTE_OFF = "\x1b[?2004h", "\x1b[?2004l"
"""A paste comes between two marks, so that its line breaks are no Enter."""
CURSOR_ON, CURSOR_OFF = "\x1b[?25h", "\x1b[?25l"


class Terminal:
    """As a context: ours inside, as it was outside."""

    def __init__(self, fd: int) -> None:
        """`fd`: what keys come from."""
        self.fd = fd
        self._found: list[Any] | None = None

    def __enter__(self) -> Terminal:
        """Keys come one by one and are not echoed. Ctrl-C stays a signal."""
        self._found = termios.tcgetattr(self.fd)
        self._take()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Put back what was found."""
        self._give_back()

    def suspend(self) -> None:
        """Ctrl-Z: leave the terminal in order, stop, and take it again when we go on."""
        self._give_back()
        os.kill(os.getpid(), signal.SIGSTOP)
        self._take()
        _write(CURSOR_OFF)

    def read(self) -> bytes:
        """What was typed; empty where the terminal is gone."""
        try:
            return os.read(self.fd, 4096)
        except OSError:
            return b""

    def _take(self) -> None:
        tty.setcbreak(self.fd, termios.TCSADRAIN)  # what was typed ahead is kept
        _write(PASTE_ON)

    def _give_back(self) -> None:
        _write(PASTE_OFF + CURSOR_ON)
        if self._found is not None:
            with suppress(termios.error):  # hung up: there is nothing left to put in order
                termios.tcsetattr(self.fd, termios.TCSADRAIN, self._found)


def _write(sequence: str) -> None:
    """Past `sys.stdout`, which whoever draws may have replaced by something that prints text."""
    with suppress(OSError):
        os.write(sys.__stdout__.fileno() if sys.__stdout__ else 1, sequence.encode())
