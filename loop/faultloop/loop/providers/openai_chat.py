"""The client of OpenAI's Chat Completions: one request, one stream of deltas.

It spells (`openai_chat_request`), reads (`openai_chat_reply`) and watches the wire; it does not
retry, assemble or repair. The end mark is `[DONE]`, or for a whole reply the end of its body; a
stream that merely stops yields no `EndDelta`, and it is for the assembler to say what that means.
Whoever stops listening (by closing the iterator or being cancelled) closes the connection.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress

import httpx
import msgspec
from httpx_sse import EventSource, ServerSentEvent

from faultloop.loop.client import Client
from faultloop.loop.providers import openai_chat_reply as reply
from faultloop.loop.providers import openai_chat_request as spelling
from faultloop.loop.providers.failures import from_exception, from_status
from faultloop.loop.providers.port import Delta, EndDelta, ModelRequest, ProviderFailure
from faultloop.loop.silence import Silence

END_MARK = "[DONE]"
DRAIN_S = 1.0
"""How long a body may go on after its end mark before its connection is given up."""
MESSAGE_EVENTS = frozenset({"", "message", "error"})
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
        notice_role: spelling.NoticeRole = "system",
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
        self._notice_role: spelling.NoticeRole = notice_role
        self._now_s = now_s

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """The deltas of the reply. Raises ProviderFailure; closing it closes the connection."""
        with _as_failures("the model request"):
            async with self._asked(request) as response:
                try:
                    async with (
                        Silence(self._idle_timeout_s) as silence,
                        aclosing(self._deltas(response, silence)) as deltas,
                    ):
                        async for delta in deltas:
                            silence.pause()  # what the listener does is not the provider's time
                            yield delta
                            silence.heard()
                except TimeoutError:
                    raise ProviderFailure(
                        "timeout", f"the provider fell silent for {self._idle_timeout_s:g} s"
                    ) from None

    async def _deltas(
        self, response: httpx.Response, silence: Silence
    ) -> AsyncGenerator[Delta, None]:
        """What the body says, as it arrives."""
        if isinstance(response.stream, httpx.AsyncByteStream):
            response.stream = _Heard(response.stream, silence)
        if not response.is_success:
            raise await self._refusal(response)
        if not _is_events(response):
            # Also where a stream was asked for: some servers answer whole to all.
            for delta in _whole(response, await response.aread()):
                yield delta
            return
        async with aclosing(EventSource(response).aiter_sse()) as events:
            async for event in events:
                if event.event not in MESSAGE_EVENTS or not event.data:
                    continue
                if event.data.strip() == END_MARK:
                    yield EndDelta()
                    silence.over()
                    await _drain(events)
                    return
                for delta in reply.of_chunk(event.data):
                    yield delta

    @asynccontextmanager
    async def _asked(self, request: ModelRequest) -> AsyncIterator[httpx.Response]:
        """The response as soon as its headers are there."""
        body = msgspec.json.encode(spelling.body(request, notice_role=self._notice_role))
        asked = self._client.build_request(
            "POST", self._url, content=body, headers=self._headers, timeout=None
        )
        try:
            async with asyncio.timeout(self._answer_timeout_s):
                response = await self._client.send(asked, stream=True)
        except TimeoutError:
            raise ProviderFailure(
                "timeout", f"no answer from the provider for {self._answer_timeout_s:g} s"
            ) from None
        try:
            yield response
        finally:
            await response.aclose()

    async def _refusal(self, response: httpx.Response) -> ProviderFailure:
        said = reply.error_of(await response.aread())
        return from_status(
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


async def _drain(events: AsyncIterator[ServerSentEvent]) -> None:
    """Read on to the end of the body, so that the connection can be used again; what goes wrong
    there no longer matters, since the reply is whole."""
    with suppress(httpx.HTTPError, ProviderFailure, TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            async for _ in events:
                pass


def _is_events(response: httpx.Response) -> bool:
    return "text/event-stream" in response.headers.get("content-type", "")


def _whole(response: httpx.Response, body: bytes) -> Iterator[Delta]:
    kind = response.headers.get("content-type", "")
    if kind.partition(";")[0].strip() not in ("application/json", ""):
        raise ProviderFailure(
            "unavailable", f"something that is no model answered with {kind} instead of JSON"
        )
    return reply.of_whole(body)


@contextmanager
def _as_failures(what: str) -> Iterator[None]:
    try:
        yield
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
        raise from_exception(error, what) from error
