"""The HTTP client that the loop speaks through: a port, and the least that fills it.

`httpx.AsyncClient` fills it, and is right where its cookies, redirects, proxies or authentication
are wanted. An agent that posts JSON to two fixed places wants none of these, and they cost three
quarters of a request; `BareClient` sends what it was given and nothing else, over any transport of
httpx.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Mapping
from types import MappingProxyType
from typing import Protocol

import httpx

NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class Client(Protocol):
    """As much of httpx.AsyncClient as the loop uses."""

    def build_request(
        self,
        method: str,
        url: httpx.URL,
        *,
        content: bytes | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
        timeout: float | None = None,
    ) -> httpx.Request:
        """A request, ready to be sent. `timeout` in seconds, for each wait on the network."""
        ...

    async def send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response:
        """Send it. Streamed, the body is still to be read, and the response to be closed.

        Raises httpx.HTTPError.
        """
        ...


def pieces_of(response: httpx.Response) -> AsyncIterable[bytes]:
    """The body of a streamed response as it arrives.

    Straight from its stream, unless it is encoded and httpx has to undo that: its own iterators
    are right for both, and cost several times what the stream itself does.
    """
    stream = response.stream
    if "content-encoding" in response.headers or not isinstance(stream, httpx.AsyncByteStream):
        return response.aiter_bytes()
    return stream


class BareClient:
    """A transport as a client. It owns the transport: close it, or use it as a context."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    def build_request(
        self,
        method: str,
        url: httpx.URL,
        *,
        content: bytes | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
        timeout: float | None = None,
    ) -> httpx.Request:
        """Only what was given, and what HTTP cannot do without. Raises ValueError for a header
        that is not ASCII.

        Spelt as a transport sees it (a stream, and every header there): httpx would work out the
        same for three times the price.
        """
        sent = [(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()]
        sent.append((b"host", url.netloc))
        if content is not None:
            sent.append((b"content-length", b"%d" % len(content)))
        extensions = {} if timeout is None else {"timeout": httpx.Timeout(timeout).as_dict()}
        return httpx.Request(
            method,
            url,
            headers=sent,
            stream=httpx.ByteStream(content or b""),
            extensions=extensions,
        )

    async def send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response:
        """Send it. Raises httpx.HTTPError."""
        response = await self._transport.handle_async_request(request)
        response.request = request
        if not stream:
            try:
                await response.aread()
            except BaseException:
                await response.aclose()
                raise
        return response

    async def __aenter__(self) -> BareClient:
        await self._transport.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._transport.__aexit__()
