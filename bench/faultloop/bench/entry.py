"""The entry point of `faultloop`: what holds before a command has begun, and where none answers.

Imports nothing but the interpreter's own until Ctrl-C has an answer, for a slow disk makes the
imports long. A failure that no command knows is ours, and never exit code 1, which blames a loop.

    70   a bug of faultloop: one line; with FAULTLOOP_TRACEBACK=1 where it is
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

BAD_INPUT = 2
A_BUG = 70
"""EX_SOFTWARE of sysexits.h."""
INTERRUPTED = 130
"""The shell's own code for a command that Ctrl-C ended."""
TRACEBACK = "FAULTLOOP_TRACEBACK"

STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
"""By descriptor: the name in `sys`, and how it is opened."""


def main() -> None:
    """Run the command that was typed; ends the process's work with its exit code."""
    try:
        # CI cancels with SIGTERM: it is Ctrl-C by another name, so that nothing is left behind.
        signal.signal(signal.SIGTERM, as_ctrl_c)
        _open_streams()
        from faultloop.bench.cli import app

        app()
    except KeyboardInterrupt:
        _end("interrupted", INTERRUPTED)
    except Exception as error:
        if os.environ.get(TRACEBACK) == "1":
            import traceback

            traceback.print_exc()
        said = " ".join(str(error).split())
        told = f"{type(error).__name__}: {said}" if said else type(error).__name__
        _end(f"this is a bug of faultloop: {told} ({TRACEBACK}=1 shows where)", A_BUG)


def as_ctrl_c(number: int, frame: FrameType | None) -> None:
    """A signal's handler: as if it had been SIGINT, also where that is ignored (`command &`)."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


def _open_streams() -> None:
    """Whatever is closed would be given to the next file that is opened, a journal say."""
    closed = [descriptor for descriptor in range(len(STREAMS)) if not _is_open(descriptor)]
    for descriptor in closed:
        nowhere = os.open(os.devnull, os.O_RDWR)
        if nowhere != descriptor:
            os.dup2(nowhere, descriptor)
            os.close(nowhere)
        name, mode = STREAMS[descriptor]
        setattr(sys, name, open(descriptor, mode, closefd=False))  # noqa: SIM115
    if 1 in closed:
        _end("standard output is closed, so nothing that is found could be told", BAD_INPUT)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _end(sentence: str, code: int) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough: no traceback on the way out
    with contextlib.suppress(OSError):  # nobody reads
        print(f"faultloop: {sentence}", file=sys.stderr, flush=True)
    raise SystemExit(code) from None
