"""A person at a terminal: a program behind a pseudo-terminal, and what stands on its screen.

Nothing here sleeps: whoever waits for a text waits for output, with a deadline.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyte

DEADLINE_S = 100.0
"""How long anything may take on a machine that is busy with other things."""
COLUMNS, LINES = 100, 30
PROGRAM = (
    "import fcntl, termios;"
    " fcntl.ioctl(0, termios.TIOCSCTTY, 0);"  # so that Ctrl-C reaches it
    " import typer; from faultloop.bench.chat.typed import chat; typer.run(chat)"
)
"""`faultloop chat` without the rest of `faultloop`, whose import is most of a start."""


class Terminal:
    """`faultloop chat` at one terminal; use it as a context."""

    def __init__(
        self, arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str], lines: int = LINES
    ) -> None:
        """`arguments`: of `faultloop chat`."""
        self.screen = pyte.HistoryScreen(COLUMNS, lines, history=2000)
        self._stream = pyte.ByteStream(self.screen)
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, COLUMNS, 0, 0))
        self.modes_before = termios.tcgetattr(slave)
        self._slave = slave
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=cwd,
            env={**env, "TERM": "xterm-256color", "COLUMNS": "", "LINES": ""},
            start_new_session=True,
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)
        os.close(self._slave)

    # --- what the person does ---------------------------------------------------------------------

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def line(self, text: str) -> None:
        self.type(f"{text}\r")

    def kill(self) -> None:
        """SIGKILL: nothing of it runs again."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    # --- what the person sees ---------------------------------------------------------------------

    @property
    def text(self) -> str:
        """All that was printed, what has scrolled away included, as a person reads it."""
        above = [
            "".join(row[column].data for column in range(COLUMNS)).rstrip()
            for row in self.screen.history.top
        ]
        return "\n".join([*above, *(line.rstrip() for line in self.screen.display)])

    @property
    def modes(self) -> list[object]:
        """The terminal's modes as they are now."""
        return termios.tcgetattr(self._slave)

    def wait_for(self, *texts: str) -> str:
        """Read until all of these stand on the screen; returns what does."""
        deadline_s = time.monotonic() + DEADLINE_S
        while not all(text in self.text for text in texts):
            missing = [text for text in texts if text not in self.text]
            assert time.monotonic() < deadline_s, f"never seen: {missing}\n{self.text}"
            if not self._read(1.0) and self.process.poll() is not None:
                assert not missing, f"the program ended before it showed {missing}\n{self.text}"
        return self.text

    def wait_until(self, what: Callable[[], bool]) -> None:
        """Read until something holds that is not on the screen."""
        deadline_s = time.monotonic() + DEADLINE_S
        while not what():
            assert time.monotonic() < deadline_s, f"it never came to that\n{self.text}"
            self._read(0.05)

    def ended(self) -> int:
        """Read until the program ends; returns its exit code."""
        deadline_s = time.monotonic() + DEADLINE_S
        while self.process.poll() is None:
            assert time.monotonic() < deadline_s, f"it does not end\n{self.text}"
            self._read(0.1)
        while self._read(0.0):
            pass
        return self.process.returncode

    def _read(self, within_s: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], within_s)
        if ready:
            self._stream.feed(os.read(self._master, 65_536))
        return bool(ready)
