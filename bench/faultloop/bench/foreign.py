"""Running code of the user's: a module that is imported for its tools, a function that gives them.

Whatever it raises is its author's to mend and never ours: also SystemExit, which would end this
command as if all were well, and a KeyboardInterrupt of its own. Only a real Ctrl-C passes. What it
prints goes to standard error, because a program reads our standard output.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType


class ForeignFailed(Exception):
    """Code of the user's raised; the text names what."""


@contextlib.contextmanager
def foreign_code() -> Iterator[None]:
    """Around foreign code. Raises ForeignFailed, and KeyboardInterrupt where a person meant it."""
    pressed = False

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, press) if is_main else None
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except KeyboardInterrupt as error:
        if pressed:
            raise
        raise ForeignFailed(_told(error)) from error
    except SystemExit as error:
        raise ForeignFailed(f"it ends the program ({_told(error)})") from error
    except Exception as error:
        raise ForeignFailed(_told(error)) from error
    finally:
        if is_main:
            signal.signal(signal.SIGINT, before)


def _told(error: BaseException) -> str:
    try:
        said = str(error)
    except Exception:  # an exception of the user's is code of the user's as well
        said = ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
