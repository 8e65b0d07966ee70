"""The client that all dialects share: one request, one stream of deltas.

It has the request spelt and the events read by its dialect, and watches the wire; it does not
retry, assemble or repair. A stream that merely stops yields no `EndDelta`, and it is for the
assembler to say what that means. Whoever stops listening (by closing the iterator or being
cancelled) closes the connection.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress

import httpx

from faultloop.loop.client import Client, pieces_of
from faultloop.loop.providers.dialect import Dialect, Reader, Speller
from faultloop.loop.providers.error_body import error_of
from faultloop.loop.providers.event_stream import EVENT_BYTES_MAX, EndlessEvent, EventReader
from faultloop.loop.providers.failures import from_exception, from_status
from faultloop.loop.providers.port import (
    Delta,
    EndDelta,
    ModelRequest,
    ProviderFailure,
    UsageDelta,
)
from faultloop.loop.silence import Silence

DRAIN_S = 1.0
"""How long a body may go on after its end mark before its connection is given up."""


class HttpProvider:
    """A provider that is reached over HTTP."""

    def __init__(
        self,
        client: Client,
        base_url: str,
        api_key: str = "",
        *,
        dialect: Dialect,
        speller: Speller,
        idle_timeout_s: float | None = 60.0,
        answer_timeout_s: float | None = 600.0,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        """Speak to `base_url` through a client that somebody else closes.

        `idle_timeout_s` bounds the silence between two pieces of a body, `answer_timeout_s` the
        wait for its beginning: a whole reply is silent until the model is done. `now_s` is only
        asked about a Retry-After that is a date.
        """
        self._client = client
        self._base_url = base_url.rstrip("/")
        self._dialect = dialect
        self._speller = speller
        self._headers = {"content-type": "application/json", **dialect.headers(api_key)}
        self._idle_timeout_s = idle_timeout_s
        self._answer_timeout_s = answer_timeout_s
        self._now_s = now_s
        self._urls: dict[str, httpx.URL] = {}
        """By path; they are costly to make."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """The deltas of the reply. Raises ProviderFailure; closing it closes the connection."""
        with _as_failures("the model request"):
            response = await self._asked(request)
            try:
                async with Silence(self._idle_timeout_s) as silence:
                    if not (response.is_success and _is_events(response)):
                        # Also where a stream was asked for: some servers answer whole to all.
                        for delta in await self._whole(response, silence):
                            yield delta
                        return
                    if "content-encoding" in response.headers:
                        response = _heard(response, silence)  # what is still to be decoded, too
                    stream, body = _Events(self._dialect.reader()), aiter(pieces_of(response))
                    async for piece in body:
                        silence.pause()  # what the listener does is not the provider's time
                        said = stream.read(piece)
                        for delta in said:
                            if isinstance(delta, EndDelta):
                                silence.over()
                                for late in await self._drained(body, stream, said):
                                    yield late
                                yield delta
                                return
                            yield delta
                        silence.heard()
            except TimeoutError:
                raise ProviderFailure(
                    "timeout", f"the provider fell silent for {self._idle_timeout_s:g} s"
                ) from None
            finally:
                await response.aclose()

    async def _asked(self, request: ModelRequest) -> httpx.Response:
        """The response as soon as its headers are there."""
        body = self._speller.body(request)
        path = self._dialect.path(request)
        url = self._urls.get(path)
        if url is None:
            url = self._urls[path] = httpx.URL(self._base_url + path)
        asked = self._client.build_request(
            "POST", url, content=body, headers=self._headers, timeout=None
        )
        try:
            async with asyncio.timeout(self._answer_timeout_s):
                return await self._client.send(asked, stream=True)
        except TimeoutError:
            raise ProviderFailure(
                "timeout", f"no answer from the provider for {self._answer_timeout_s:g} s"
            ) from None

    async def _whole(self, response: httpx.Response, silence: Silence) -> list[Delta]:
        """What a body says that is no stream. Raises ProviderFailure."""
        body = await _heard(response, silence).aread()
        silence.over()
        if response.is_success:
            _check_kind(response.headers.get("content-type", ""))
            return self._dialect.whole(body)
        raise from_status(
            response.status_code, error_of(body), response.headers, now_s=self._now_s()
        )

    async def _drained(
        self, body: AsyncIterator[bytes], stream: _Events, said: Iterator[Delta]
    ) -> list[UsageDelta]:
        """Read on to the end of the body, so that the connection can be used again; what goes wrong
        there no longer matters, since the reply is whole. Nothing is believed behind the end mark
        but token counts, where the dialect may send them there."""
        counts: list[UsageDelta] = []
        with suppress(httpx.HTTPError, ProviderFailure, TimeoutError, EndlessEvent):
            async with asyncio.timeout(DRAIN_S):
                if self._dialect.counts_late:
                    counts += _counts(said)
                async for piece in body:
                    if self._dialect.counts_late:
                        counts += _counts(stream.read(piece))
        return counts


class _Events:
    """Bytes in, deltas out: the events of a stream, and what the dialect reads in them."""

    def __init__(self, reader: Reader) -> None:
        self._events = EventReader()
        self._reader = reader

    def read(self, piece: bytes) -> Iterator[Delta]:
        for event in self._events.feed(piece):
            yield from self._reader.read(event)


def _counts(said: Iterator[Delta]) -> Iterator[UsageDelta]:
    return (delta for delta in said if isinstance(delta, UsageDelta))


class _Heard(httpx.AsyncByteStream):
    """A body whose bytes are signs of life; not its events: comments keep a stream alive, too."""

    def __init__(self, body: httpx.AsyncByteStream, silence: Silence) -> None:
        self._body = body
        self._silence = silence

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._body:
            self._silence.heard()
            yield piece

    async def aclose(self) -> None:
        await self._body.aclose()


def _heard(response: httpx.Response, silence: Silence) -> httpx.Response:
    assert isinstance(response.stream, httpx.AsyncByteStream), "bodies of async clients are async"
    response.stream = _Heard(response.stream, silence)
    return response


def _is_events(response: httpx.Response) -> bool:
    return "text/event-stream" in response.headers.get("content-type", "")


def _check_kind(kind: str) -> None:
    if kind.partition(";")[0].strip() not in ("application/json", ""):
        raise ProviderFailure(
            "rejected",
            f"something that is no model answered with {kind} instead of JSON; look at the address",
        )


@contextmanager
def _as_failures(what: str) -> Iterator[None]:
    try:
        yield
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
        raise from_exception(error, what) from error
    except EndlessEvent as error:
        said = f"more than {EVENT_BYTES_MAX // 1_000_000} MB came and no event of the stream ended"
        raise ProviderFailure("rejected", f"{what} was given up: {said}") from error
