"""The command: a child with the terminal of its own, that is waited for whatever happens.

Ctrl-C belongs to the command: on a terminal it gets it itself, and an agent may take it for
something else than an end. Elsewhere a signal is passed on; the second one kills.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence

SIGNALLED = 128
"""A shell's exit code for a signal is this much above its number."""

_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LOCAL = "127.0.0.1,localhost,::1"


class CannotRun(Exception):
    """The command cannot be started. The text is a sentence."""


def environment(inherited: Mapping[str, str], urls: Mapping[str, str]) -> dict[str, str]:
    """The command's environment: its own keys, our base URLs, and no proxy in between."""
    made = {**inherited, **urls}
    for name in ("NO_PROXY", "no_proxy"):
        made[name] = f"{made[name]},{_LOCAL}" if made.get(name) else _LOCAL
    return made


async def run(command: Sequence[str], variables: Mapping[str, str]) -> int:
    """Run it to its end; its exit code as a shell has it. Raises CannotRun."""
    try:
        process = await asyncio.create_subprocess_exec(*command, env=variables)
    except OSError as error:
        raise CannotRun(f"the command {command[0]!r} cannot be run: {error.strerror}") from None
    loop = asyncio.get_running_loop()
    on_terminal = sys.stdin is not None and sys.stdin.isatty()
    signals: list[int] = []

    def passed_on(number: int) -> None:
        if number == signal.SIGINT and on_terminal:
            return  # it has it already
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL if signals else number)
        signals.append(number)

    for number in _PASSED_ON:
        loop.add_signal_handler(number, passed_on, number)
    try:
        code = await process.wait()
    finally:
        for number in _PASSED_ON:
            loop.remove_signal_handler(number)
    return SIGNALLED - code if code < 0 else code
