"""`faultloop serve`: serve until Ctrl-C, or until a command is over.

Exports go to standard output, all else beside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
from collections.abc import Sequence

from faultloop.bench import child
from faultloop.bench.serving.reading import read, sent
from faultloop.fakes.hosting import BadScript, Host, HostedScript, Hosting, NoScript
from faultloop.fakes.hosting.conversations import fit
from faultloop.fakes.server import CannotListen
from faultloop.fakes.strictness import levels
from faultloop.fakes.strictness.levels import Strictness
from faultloop.scenarios.reading import BadScenario


class BadServe(Exception):
    """The script or the address cannot be had. The text is a sentence."""


def run_serve(
    script: str | None,
    command: Sequence[str] = (),
    *,
    host: str,
    port: int,
    conversation: str,
    seed: int,
    strictness: str | None = None,
    coalesce: bool = False,
) -> int:
    """Serve until interrupted, or until a command is over: its exit code. Raises BadServe."""
    try:
        fit(conversation)
        hosting = Hosting(
            None if script is None else read(script),
            read=sent,
            seed=seed,
            strictness=None if strictness is None else _strictness(strictness),
        )
        server = Host(hosting, host=host, port=port, coalesce=coalesce)
        return asyncio.run(_serve(server, conversation, command))
    except NoScript as error:
        raise BadServe(f"--conversation: {error}") from None
    except (BadScenario, BadScript, CannotListen, child.CannotRun) as error:
        raise BadServe(str(error)) from None
    except KeyboardInterrupt:
        _beside("no longer serving")
        return 0


def _strictness(text: str) -> Strictness:
    try:
        return levels.read(text)
    except ValueError as error:
        raise BadServe(f"--strictness: {error}") from None


async def _serve(host: Host, conversation: str, command: Sequence[str]) -> int:
    gc.collect()
    gc.freeze()  # what was imported stays, and need not be looked through time and again
    async with host as server:
        for line in _told(server.hosting.script, server):
            _beside(line)
        if command:
            variables = server.base_urls(conversation).environment
            return await child.run(command, child.environment(os.environ, variables))
        # A reader who has left, or reads no further, does not end what others ask here.
        with contextlib.suppress(BrokenPipeError):
            print(server.base_urls(conversation).exports(), end="", flush=True)
        await asyncio.get_running_loop().create_future()
    raise AssertionError("it serves until it is interrupted")


def _told(script: HostedScript | None, server: Host) -> list[str]:
    if script is None:
        what = "no script yet: PUT one to /_faultloop/script"
    else:
        what = f"{script.name}, {_count(len(script.steps), 'step')}"
        if script.faults:
            what += f", {_count(len(script.faults), 'fault')}"
    notes = [] if script is None else list(script.notes)
    return [f"serving {what}", *notes, f"the page is {server.url}/ and Ctrl-C ends it"]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _beside(line: str) -> None:
    with contextlib.suppress(OSError):
        print(f"faultloop: {line}", file=sys.stderr, flush=True)
