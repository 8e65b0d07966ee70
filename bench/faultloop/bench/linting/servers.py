"""Tools from an MCP server, started for the purpose and ended after it has listed them."""

from __future__ import annotations

import asyncio
import logging
import shlex
from collections.abc import Coroutine
from typing import Any

import pydantic

from faultloop.bench.linting.bad_target import BadTarget
from faultloop.loop.contract.lint import Specimen

SERVER = "linted"
"""The name that the server has meanwhile; no finding shows it."""
SHOWN_CHARS_MAX = 200

Listed = tuple[list[Specimen], tuple[str, ...]]
"""Its tools, and why others of its list are none."""


def read_server(command: str) -> list[Specimen]:
    """Start the server, or go to its URL, and list its tools. Raises BadTarget."""
    try:
        from faultloop.loop.tools.mcp import McpServer, McpUnavailable, Stdio
    except ModuleNotFoundError as error:  # an extra that a user may lack
        raise BadTarget(str(error)) from error
    url = _url(command)
    target: Stdio | str = Stdio(command=_words(command)) if url is None else url

    async def listed() -> Listed:
        async with McpServer(SERVER, target, trusted=True, prefixed=False) as server:
            made = [Specimen(contract=tool.contract, source=command) for tool in server.tools]
            return made, server.refused

    try:
        specimens, refused = asyncio.run(_unless_it_babbles(listed()))
    except _Babble as babble:
        raise BadTarget(
            f"{command}: this is no MCP server, or not only one: its standard output must hold"
            f" JSON-RPC and nothing else, and it holds {str(babble)!r}"
        ) from None
    except McpUnavailable as error:
        raise BadTarget(f"{command}: {error}") from error
    if refused:
        raise BadTarget(f"{command}: {'; '.join(refused)}")
    return specimens


def _url(command: str) -> str | None:
    """Where the server is, if that is what was given. Raises BadTarget."""
    scheme, mark, _ = command.partition("://")
    if not mark or not scheme.isalpha():  # a command line may have a URL in it
        return None
    if scheme not in ("http", "https"):
        raise BadTarget(f"--mcp {command}: a server is reached by http or https, not by {scheme}")
    return command


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadTarget(f"--mcp {command!r} is no command line: {error}") from error
    if not words:
        raise BadTarget("--mcp needs the command line of a server, or its URL")
    return words


class _Babble(Exception):
    """A line of a server that is no message; the text is its beginning."""


class _Listener(logging.Handler):
    """Hears what the SDK logs of lines that it cannot read; it waits on for one that it can."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, pydantic.ValidationError) and not self.heard.done():
            self.heard.set_result(str(error.errors()[0]["input"])[:SHOWN_CHARS_MAX])


async def _unless_it_babbles(listing: Coroutine[Any, Any, Listed]) -> Listed:
    """What was listed. Raises _Babble as soon as the server prints anything but messages."""
    log, listener = logging.getLogger("mcp"), _Listener()
    told_before = log.propagate
    log.addHandler(listener)
    log.propagate = False
    listed = asyncio.create_task(listing)
    try:
        either: set[asyncio.Future[Any]] = {listed, listener.heard}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if listener.heard.done():
            listed.cancel()
            await asyncio.wait({listed})
            raise _Babble(listener.heard.result())
        return listed.result()
    finally:
        listener.heard.cancel()
        if not listed.done():  # Ctrl-C: the server is ended first
            listed.cancel()
            await asyncio.wait({listed})
        log.removeHandler(listener)
        log.propagate = told_before
