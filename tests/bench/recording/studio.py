"""A recording studio: an upstream, the proxy before it, and whoever talks through it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

from faultloop.bench.recording.command import redactor_for
from faultloop.bench.recording.composing import compose
from faultloop.bench.recording.proxy import Line, Proxy
from faultloop.bench.recording.seen import Exchange
from faultloop.bench.recording.upstream import Upstream
from faultloop.bench.recording.writing import text_of
from faultloop.bench.serving.reading import read_text
from faultloop.fakes.asgi import AsgiApp
from faultloop.fakes.hosting import BaseUrls, HostedScript, Hosting, HostThread
from faultloop.fakes.server import Server

OUT = Path("talk.yaml")


class Sent(NamedTuple):
    """What of an answer must be the same."""

    status: int
    content_type: str
    body: bytes


def recorded(
    url: str, act: Callable[[BaseUrls], object], *, docs: str | None = None
) -> list[Exchange]:
    """All that the proxy before `url` saw while somebody talked through it. `docs`: an MCP server
    of that name is proxied as well."""
    seen: list[Exchange] = []

    async def record() -> None:
        upstream = Upstream(url)
        async with upstream.client() as client, AsyncExitStack() as held:
            line = Line(upstream, client)
            lines = {} if docs is None else {"docs": Line(Upstream(docs), client)}
            proxy = Proxy(line, lines, clock=time.monotonic, seen=seen)
            server = await held.enter_async_context(Server(proxy))
            urls = BaseUrls(
                openai=f"{server.url}/v1", anthropic=server.url, gemini=server.url, tools=""
            )
            await asyncio.to_thread(act, urls)

    asyncio.run(record())
    return seen


def written(seen: list[Exchange], *, redact: bool = True, env: dict[str, str] | None = None) -> str:
    """The file that a recording becomes."""
    redactor = redactor_for(seen, env or {}, is_on=redact)
    return text_of(compose(seen, redactor, name="talk").scenario, OUT)


def sent(exchange: Exchange) -> Sent:
    answered = exchange.answered
    assert answered is not None
    body = b"".join(answered.chunks)
    return Sent(answered.status, answered.header("content-type"), body)


@contextmanager
def served(script: HostedScript) -> Iterator[str]:
    """The base URL of a script that is served."""
    with HostThread(Hosting(script)) as host:
        yield host.base_urls().anthropic
    assert host.failures == []


@contextmanager
def replaying(text: str) -> Iterator[Callable[[Exchange], Sent]]:
    """A served recording; the function asks it what was asked when it was recorded."""
    with served(read_text(text, OUT)) as url, httpx.Client(timeout=60) as client:

        def ask(exchange: Exchange) -> Sent:
            query = f"?{exchange.query}" if exchange.query else ""
            headers = [pair for pair in exchange.headers if pair[0] != "host"]
            response = client.request(
                exchange.method,
                f"{url}{exchange.path}{query}",
                headers=headers,
                content=exchange.body,
            )
            return Sent(response.status_code, response.headers["content-type"], response.content)

        yield ask


@contextmanager
def app_served(app: AsgiApp) -> Iterator[str]:
    """The URL of an upstream that is an app of the test's own, on a thread."""
    import threading

    ready, over = threading.Event(), threading.Event()
    url: list[str] = []

    async def serve() -> None:
        async with Server(app) as server:
            url.append(server.url)
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(60)
    try:
        yield url[0]
    finally:
        over.set()
        thread.join()
