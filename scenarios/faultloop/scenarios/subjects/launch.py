"""Launching: one process of a subject, in a session of its own, on files instead of pipes.

Output goes to files, so that a grandchild that holds them open cannot keep the bench waiting, and
so that what was written before a SIGKILL is kept. Input is a FIFO that the bench holds open where
the subject takes control lines, else /dev/null. How the process comes to life, by exec (`Cold`
here) or by fork from a parent that has imported the driver already (`zygote`), is the launcher's
business; pid, signals and exit code are real either way.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import signal
import sys
import termios
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from faultloop.scenarios.subject import BadSubject

STDERR_BYTES_MAX = 64 * 1024
STDOUT_BYTES_MAX = 64 * 1024 * 1024
"""What is written beyond this is not read: one subject must not take the bench's memory."""


class Streams:
    """The three standard streams of one start, as paths."""

    def __init__(self, folder: Path, start: int, *, control: bool) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.stdout = folder / f"start-{start}.stdout"
        self.stderr = folder / f"start-{start}.stderr"
        self.stdin = Path(os.devnull)
        self._control: int | None = None
        for path in (self.stdout, self.stderr):
            path.touch()
        if control:
            self.stdin = folder / f"start-{start}.control"
            os.mkfifo(self.stdin)
            # Read-write, so that opening waits for nobody and a line is never a broken pipe.
            self._control = os.open(self.stdin, os.O_RDWR | os.O_NONBLOCK)

    @property
    def take_input(self) -> bool:
        """Whether the subject takes control lines."""
        return self._control is not None

    def say(self, line: Mapping[str, str]) -> None:
        """Send one control line."""
        if self._control is not None:
            os.write(self._control, json.dumps(line).encode() + b"\n")

    def is_taken(self) -> bool:
        """Whether the subject has read every control line that was sent."""
        if self._control is None:
            return True
        unread = fcntl.ioctl(self._control, termios.FIONREAD, bytes(4))
        return int.from_bytes(unread, sys.byteorder) == 0

    def close(self) -> None:
        """End the control input."""
        if self._control is not None:
            os.close(self._control)
            self._control = None

    def output(self) -> str:
        """What was written to standard output, up to `STDOUT_BYTES_MAX`."""
        return _read(self.stdout, lambda file: file.read(STDOUT_BYTES_MAX))

    def excess(self) -> tuple[str, ...]:
        """A sentence, where not all that was written to standard output can be read."""
        try:
            size = self.stdout.stat().st_size
        except OSError:
            return ("the file that its standard output goes to is gone: it was deleted meanwhile",)
        if size <= STDOUT_BYTES_MAX:
            return ()
        return (
            f"it wrote {size:,} bytes to standard output, of which the first"
            f" {STDOUT_BYTES_MAX:,} are read; a result line after these is not seen",
        )

    def errors(self) -> str:
        """The end of what was written to standard error."""
        return _read(self.stderr, _end)


def _read(path: Path, read: Callable[[BinaryIO], bytes]) -> str:
    """Text of a file that belongs to the subject as well, which may have deleted it."""
    try:
        with path.open("rb") as file:
            return read(file).decode("utf-8", errors="replace")
    except OSError:
        return ""


def _end(file: BinaryIO) -> bytes:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - STDERR_BYTES_MAX))
    return file.read(STDERR_BYTES_MAX)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a launcher needs to know for one start."""

    environment: dict[str, str]
    folder: Path
    """Working folder."""
    streams: Streams


@dataclass(frozen=True, slots=True, kw_only=True)
class Launched:
    """A process that was launched; it leads a session whose id is its pid."""

    pid: int
    exit_code: asyncio.Future[int]
    """Negative for death by signal."""


class Launcher(Protocol):
    """Brings a start to life."""

    async def launch(self, start: Start) -> Launched:
        """Raises BadSubject where the process cannot be had."""
        ...

    async def close(self) -> None:
        """End what is shared between starts."""
        ...


class Cold:
    """A fresh process for every start."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command

    async def launch(self, start: Start) -> Launched:
        """Fork and exec."""
        streams = start.streams
        with (
            streams.stdin.open("rb", buffering=0) as stdin,
            streams.stdout.open("ab") as stdout,
            streams.stderr.open("ab") as stderr,
        ):
            process = await spawn(
                self._command,
                environment=start.environment,
                folder=start.folder,
                stdin=stdin.fileno(),
                stdout=stdout.fileno(),
                stderr=stderr.fileno(),
            )
        exit_code = asyncio.ensure_future(process.wait())
        return Launched(pid=process.pid, exit_code=exit_code)

    async def close(self) -> None:
        """Nothing is shared."""


async def spawn(
    command: tuple[str, ...],
    *,
    environment: dict[str, str],
    folder: Path,
    stdin: int,
    stdout: int,
    stderr: int,
) -> asyncio.subprocess.Process:
    """A process that leads its own session and dies by SIGINT as a program at a terminal does."""
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=environment,
            cwd=folder,
            start_new_session=True,
            preexec_fn=_reset_interrupt(),
        )
    except OSError as error:
        why = _missing_interpreter(command[0]) or error.strerror
        raise BadSubject(f"command: {command[0]!r} cannot be started: {why}") from error


def _missing_interpreter(program: str) -> str:
    """Of a script whose interpreter is not there the system says that the script is not there."""
    try:
        with Path(program).open("rb") as script:
            first = script.readline(256).decode(errors="replace")
    except OSError:
        return ""
    interpreter = first.removeprefix("#!").split()[:1] if first.startswith("#!") else []
    if not interpreter or Path(interpreter[0]).exists():
        return ""
    return f"its first line asks for {interpreter[0]}, which is not there"


def _reset_interrupt() -> Callable[[], object] | None:
    """A bench under nohup or in the background inherits SIGINT ignored, and so would its children:
    every cancel would silently do nothing. Where it is not ignored, exec resets it by itself, and
    the far cheaper vfork can be used."""
    inherited = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return _default_interrupt if inherited or blocked else None


def _default_interrupt() -> None:
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
