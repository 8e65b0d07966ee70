"""`faultloop record`: a proxy, a command that talks through it, and a script of what was said.

The command's exit code is ours. What was recorded is written however the command ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from faultloop.bench import child
from faultloop.bench.recording import secrets
from faultloop.bench.recording.composing import Composed, NothingRecorded, compose
from faultloop.bench.recording.mcp import BadServer, named, variable
from faultloop.bench.recording.proxy import MCP, Line, Proxy
from faultloop.bench.recording.redaction import Redactor
from faultloop.bench.recording.seen import Exchange
from faultloop.bench.recording.upstream import BadUpstream, Upstream
from faultloop.bench.recording.writing import CannotWrite, text_of, try_out, write
from faultloop.fakes.hosting.base_urls import VARIABLES
from faultloop.fakes.server import CannotListen, Server
from faultloop.scenarios.reading import BadScenario, loads

BAD_INPUT = 2


class BadRecord(Exception):
    """Something that was asked for cannot be had. The text is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to record."""

    upstream: str
    out: Path
    command: Sequence[str]
    servers: Sequence[str] = ()
    """MCP servers, each as `NAME=URL`."""
    port: int = 0
    redact: bool = True


def run_record(order: Order) -> int:
    """Record, write the file, and return the command's exit code. Raises BadRecord."""
    if not order.command:
        raise BadRecord("there is no command; write it after two dashes: ... -- my-agent 'Hello.'")
    seen: list[Exchange] = []
    try:
        upstream = Upstream(order.upstream)
        servers = {name: Upstream(url, f"--mcp {name}") for name, url in map(named, order.servers)}
        try_out(order.out)
        code, trouble = asyncio.run(_record(order, upstream, servers, seen))
    except (BadServer, BadUpstream, CannotListen, CannotWrite, child.CannotRun) as error:
        raise BadRecord(str(error)) from None
    except BaseException:
        _keep(order, seen, 0)
        raise
    if trouble:
        _beside(trouble)
    return _keep(order, seen, code)


async def _record(
    order: Order, provider: Upstream, servers: Mapping[str, Upstream], seen: list[Exchange]
) -> tuple[int, str | None]:
    async with contextlib.AsyncExitStack() as held:

        async def line(upstream: Upstream) -> Line:
            client = await held.enter_async_context(upstream.client())
            await upstream.look(client)
            return Line(upstream, client)

        lines = {name: await line(server) for name, server in servers.items()}
        proxy = Proxy(await line(provider), lines, clock=time.monotonic, seen=seen)
        async with Server(proxy, port=order.port) as server:
            variables = child.environment(os.environ, _urls(server.url, servers))
            code = await child.run(order.command, variables)
    return code, proxy.trouble


def _urls(url: str, servers: Iterable[str]) -> dict[str, str]:
    """Variables that send the command to the proxy; keys stay its own."""
    urls = {name: f"{url}/v1" if sdk == "openai" else url for sdk, (name, _) in VARIABLES.items()}
    return urls | {variable(name): f"{url}{MCP}{name}" for name in servers}


def _keep(order: Order, seen: list[Exchange], code: int) -> int:
    """Write what was seen; the exit code, which tells also of what went wrong here."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it takes a moment, and then we end anyway
    redactor = redactor_for(seen, dict(os.environ), is_on=order.redact)
    try:
        made = compose(seen, redactor, name=order.out.stem)
    except NothingRecorded:
        _beside(f"nothing was recorded in {order.out}: the command got no reply of a model")
        return code or BAD_INPUT
    text = text_of(made.scenario, order.out)
    try:
        write(order.out, text)
    except CannotWrite as error:
        raise BadRecord(str(error)) from None
    for line in _told(order, made, redactor, text):
        _beside(line)
    return code


def redactor_for(
    seen: Sequence[Exchange], environment: dict[str, str], *, is_on: bool = True
) -> Redactor:
    """A redactor that knows the secrets of all that was seen."""
    redactor = Redactor(secrets.of_environment(environment), is_on=is_on)
    for exchange in seen:
        redactor.know(secrets.of_headers(exchange.headers))
        redactor.know(secrets.of_query(exchange.query))
        if exchange.answered is not None:
            redactor.know(secrets.of_cookies(exchange.answered.headers))
    return redactor


def _told(order: Order, made: Composed, redactor: Redactor, text: str) -> list[str]:
    found = made.found
    parts = [_count(len(found.replies), "step")]
    if failures := sum(len(reply.failures) for reply in found.replies):
        parts.append(_count(failures, "failure"))
    if found.beside or found.asides:
        parts.append(f"{len(found.beside) + len(found.asides)} beside")
    if redactor.count:
        parts.append(f"{_count(redactor.count, 'secret')} replaced")
    lines = [f"recorded {order.out}: {', '.join(parts)}"]
    if found.unread:
        lines.append(f"{_count(found.unread, 'answer')} came compressed and could not be kept")
    if found.astray is not None:
        lines.append(
            f"step {found.astray} does not go on from the step before it: the command held several "
            "conversations at once, and a script is one; replays may go astray"
        )
    try:
        loads(text, order.out)
    except BadScenario as error:
        lines.append(f"it can be served, but not be played before it is mended: {error}")
    return lines


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _beside(line: str) -> None:
    with contextlib.suppress(OSError):
        print(f"faultloop: {line}", file=sys.stderr, flush=True)
