"""The proxy: carries requests to the upstream and answers back, and keeps what it saw.

An answer is passed on piece by piece as it arrives; nothing waits for its end. Bodies and
credentials go through untouched. One header is changed: compressed answers are not asked for,
because nobody could look for secrets in them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import httpx

from faultloop.bench.recording.seen import Answered, Exchange
from faultloop.bench.recording.upstream import Upstream, told
from faultloop.fakes.asgi import Headers, Receive, Scope, Send
from faultloop.fakes.connection import Connection, LetGo

HOP_BY_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers of one connection, not of the message (RFC 9110, 7.6.1)."""

_OURS = HOP_BY_HOP | {"host", "content-length", "accept-encoding", "expect"}
"""Headers of a request that are written anew."""


MCP = "/mcp/"
"""Below it are the MCP servers, by name; all else is the provider's."""


LINGER_S = 0.5
"""So long the rest of an answer may still come when the command has let go of it: SDKs leave with
the last event, and the end of the body is on its way."""


class Line(NamedTuple):
    """An upstream and the client that asks it."""

    upstream: Upstream
    client: httpx.AsyncClient


class Proxy:
    """ASGI app before a provider and, by name, MCP servers."""

    def __init__(
        self,
        provider: Line,
        servers: Mapping[str, Line] = MappingProxyType({}),
        *,
        clock: Callable[[], float],
        seen: list[Exchange],
    ) -> None:
        """`seen` is where all exchanges are kept, in the order of their requests."""
        self._provider = provider
        self._servers = servers
        self._clock = clock
        self._seen = seen
        self.trouble: str | None = None
        """Why the upstream could not be reached, the last time that it could not."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Carry one request."""
        if scope["type"] != "http":
            raise ValueError(f"the proxy speaks HTTP, not {scope['type']}")
        connection = Connection(scope, receive, send)
        raw_path = scope.get("raw_path", scope["path"].encode()).decode("latin-1")
        try:
            body = await connection.body()
        except LetGo:
            connection.break_off()
            return
        began_s = self._clock()
        exchange = Exchange(
            method=connection.method,
            path=scope["path"],
            query=connection.query,
            headers=_decoded(scope["headers"]),
            body=body,
            mcp=self._server(scope["path"]),
        )
        self._seen.append(exchange)
        line = self._servers.get(exchange.mcp, self._provider)
        path = "" if exchange.mcp else raw_path.partition("?")[0]
        await _until_gone(self._carry(exchange, line, path, connection, began_s), connection)

    def _server(self, path: str) -> str:
        """The MCP server of a path; empty where it is the provider's."""
        name = path.removeprefix(MCP).rstrip("/")
        return name if path.startswith(MCP) and name in self._servers else ""

    async def _carry(
        self, exchange: Exchange, line: Line, path: str, connection: Connection, began_s: float
    ) -> None:
        url = line.upstream.at(path, exchange.query)
        headers = [
            (name.encode(), value.encode()) for name, value in exchange.headers if name not in _OURS
        ]
        headers.append((b"accept-encoding", b"identity"))
        request = httpx.Request(exchange.method, url, headers=headers, content=exchange.body)
        try:
            response = await line.client.send(request, stream=True)
        except httpx.HTTPError as error:
            self.trouble = f"the upstream {line.upstream.url} was not reached: {told(error)}"
            await connection.whole(502, _JSON, _error(f"faultloop record: {self.trouble}"))
            return
        try:
            await self._pass_on(response, exchange, connection, began_s)
        except httpx.HTTPError:
            connection.break_off()  # as the upstream did
        finally:
            await response.aclose()

    async def _pass_on(
        self, response: httpx.Response, exchange: Exchange, connection: Connection, last_s: float
    ) -> None:
        headers = _decoded(response.headers.raw)
        kept = tuple(pair for pair in headers if pair[0] not in HOP_BY_HOP)
        answered = exchange.answered = Answered(status=response.status_code, headers=kept)
        await connection.head(response.status_code, kept)
        try:
            async for chunk in response.aiter_raw():
                now_s = self._clock()
                answered.chunks.append(chunk)
                answered.after_ms.append(round((now_s - last_s) * 1000))
                last_s = now_s
                await connection.piece(chunk)
        except asyncio.CancelledError:
            answered.let_go = True
            raise
        answered.broken = False
        await connection.end()


async def _until_gone(carrying: Coroutine[Any, Any, None], connection: Connection) -> None:
    """Carry until all is said, or the command has let go of the connection."""
    work = asyncio.ensure_future(carrying)
    gone = asyncio.ensure_future(connection.gone.wait())
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({work}, timeout=LINGER_S)
    finally:
        for task in (work, gone):
            if not task.done():
                task.cancel()
        await asyncio.gather(work, gone, return_exceptions=True)
    if not work.cancelled():
        work.result()


def _decoded(headers: list[tuple[bytes, bytes]]) -> Headers:
    return tuple((name.decode("latin-1").lower(), _text(value)) for name, value in headers)


def _text(value: bytes) -> str:
    """As UTF-8, which is how it is sent on; what is none is taken for what HTTP once said it is."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


_JSON: Headers = (("content-type", "application/json"),)


def _error(sentence: str) -> bytes:
    error = {"message": sentence, "type": "upstream_unreachable", "param": None, "code": None}
    return json.dumps({"error": error}).encode()
