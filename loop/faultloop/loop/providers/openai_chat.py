"""The client of OpenAI's Chat Completions: one request, one stream of deltas.

It spells (`openai_chat_request`), reads (`openai_chat_reply`) and watches the wire; it does not
retry, assemble or repair. The end mark is `[DONE]`, or for a whole reply the end of its body; a
stream that merely stops yields no `EndDelta`, and it is for the assembler to say what that means.
Whoever stops listening (by closing the iterator or being cancelled) closes the connection.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

import httpx

from faultloop.loop.client import Client, pieces_of
from faultloop.loop.providers import openai_chat_reply as reply
from faultloop.loop.providers.event_stream import (
    EVENT_BYTES_MAX,
    EndlessEvent,
    EventReader,
    StreamEvent,
)
from faultloop.loop.providers.failures import from_exception, from_status
from faultloop.loop.providers.openai_chat_request import NoticeRole, Speller
from faultloop.loop.providers.port import Delta, EndDelta, ModelRequest, ProviderFailure
from faultloop.loop.silence import Silence

END_MARK = "[DONE]"
DRAIN_S = 1.0
"""How long a body may go on after its end mark before its connection is given up."""
MESSAGE_EVENTS = frozenset({"message", "error"})
"""Server-sent events of other types (pings and the like) carry nothing of the reply."""


class OpenAIChat:
    """A provider that speaks Chat Completions."""

    def __init__(
        self,
        client: Client,
        base_url: str,
        api_key: str = "",
        *,
        idle_timeout_s: float | None = 60.0,
        answer_timeout_s: float | None = 600.0,
        notice_role: NoticeRole = "system",
        now_s: Callable[[], float] = time.time,
    ) -> None:
        """Speak to `base_url`, which ends in `/v1`, through a client that somebody else closes.

        `idle_timeout_s` bounds the silence between two pieces of a body, `answer_timeout_s` the
        wait for its beginning: a whole reply is silent until the model is done. `now_s` is only
        asked about a Retry-After that is a date.
        """
        self._client = client
        self._url = httpx.URL(base_url.rstrip("/") + "/chat/completions")
        self._headers = {"content-type": "application/json"}
        if api_key:
            self._headers["authorization"] = f"Bearer {api_key}"
        self._idle_timeout_s = idle_timeout_s
        self._answer_timeout_s = answer_timeout_s
        self._speller = Speller(notice_role=notice_role)
        self._now_s = now_s

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
                    reader, body = EventReader(), aiter(pieces_of(response))
                    async for piece in body:
                        silence.pause()  # what the listener does is not the provider's time
                        for delta in _said(reader.feed(piece)):
                            yield delta
                            if isinstance(delta, EndDelta):
                                silence.over()
                                await _drain(body)
                                return
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
        asked = self._client.build_request(
            "POST", self._url, content=body, headers=self._headers, timeout=None
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
            return _completion(body, response.headers.get("content-type", ""))
        said = reply.error_of(body)
        raise from_status(
            response.status_code, said.code, said.message, response.headers, now_s=self._now_s()
        )


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


def _said(events: Iterable[StreamEvent]) -> Iterator[Delta]:
    """What events say. Behind the end mark nothing is believed: who comes to it asks no more."""
    for event in events:
        if event.type in MESSAGE_EVENTS:
            is_end = event.data.strip() == END_MARK
            yield from (EndDelta(),) if is_end else reply.of_chunk(event.data)


def _heard(response: httpx.Response, silence: Silence) -> httpx.Response:
    assert isinstance(response.stream, httpx.AsyncByteStream), "bodies of async clients are async"
    response.stream = _Heard(response.stream, silence)
    return response


async def _drain(body: AsyncIterator[bytes]) -> None:
    """Read on to the end of the body, so that the connection can be used again; what goes wrong
    there no longer matters, since the reply is whole."""
    with suppress(httpx.HTTPError, ProviderFailure, TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            async for _ in body:
                pass


def _is_events(response: httpx.Response) -> bool:
    return "text/event-stream" in response.headers.get("content-type", "")


def _completion(body: bytes, kind: str) -> list[Delta]:
    if kind.partition(";")[0].strip() not in ("application/json", ""):
        raise ProviderFailure(
            "rejected",
            f"something that is no model answered with {kind} instead of JSON; look at the address",
        )
    return reply.of_whole(body)


@contextmanager
def _as_failures(what: str) -> Iterator[None]:
    try:
        yield
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
        raise from_exception(error, what) from error
    except EndlessEvent as error:
        said = f"more than {EVENT_BYTES_MAX // 1_000_000} MB came and no event of the stream ended"
        raise ProviderFailure("rejected", f"{what} was given up: {said}") from error
