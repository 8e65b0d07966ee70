"""A dialect on the wire: events, bodies that come in pieces, and what a client makes of them.

Chat Completions is meant where nothing else is said.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from faultloop.loop.message import UserMessage
from faultloop.loop.providers.http_provider import HttpProvider
from faultloop.loop.providers.openai_chat import OpenAIChat
from faultloop.loop.providers.port import (
    Delta,
    ModelRequest,
    ProviderFailure,
)

FACE = {
    "name": "read_file",
    "description": "Read.",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    "strict": "off",
}


def request(**changes: Any) -> ModelRequest:
    fields: dict[str, Any] = {
        "model": "fake-model",
        "system": "Be brief.",
        "messages": (UserMessage(id="u1", text="hello"),),
        "tools": (FACE,),
        "stream": True,
    }
    return ModelRequest(**{**fields, **changes})


class Body(httpx.AsyncByteStream):
    """A body in pieces; an exception among them breaks it, an event is waited for."""

    def __init__(self, *pieces: bytes | Exception | asyncio.Event) -> None:
        self.pieces = pieces
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, asyncio.Event):
                await piece.wait()
                continue
            yield piece

    async def aclose(self) -> None:
        self.closed = True


def events(*data: object, end: str = "data: [DONE]\n\n") -> bytes:
    spelt = [item if isinstance(item, str) else json.dumps(item) for item in data]
    return ("".join(f"data: {item}\n\n" for item in spelt) + end).encode()


def chunk(finish: str | None = None, **delta: object) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def call(index: int | None, **function: object) -> dict[str, object]:
    return {"index": index, "function": function}


STREAM = {"content-type": "text/event-stream; charset=utf-8"}
Speaks = Callable[..., HttpProvider]


def collect(
    answer: httpx.Response | Exception,
    asked: ModelRequest | None = None,
    *,
    speaks: Speaks = OpenAIChat,
    **settings: Any,
) -> list[Delta]:
    """What comes of one request that is answered like this."""

    def handler(_: httpx.Request) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def scenario() -> list[Delta]:
        async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as client:
            provider = speaks(client, "http://provider/v1/", "key", **settings)
            return [delta async for delta in provider.stream(asked or request())]

    return asyncio.run(scenario())


def sent(asked: ModelRequest, speaks: Speaks, **settings: Any) -> httpx.Request:
    """The request as it goes out; it is answered with an error, which is expected."""
    seen: list[httpx.Request] = []

    def handler(arrived: httpx.Request) -> httpx.Response:
        seen.append(arrived)
        return httpx.Response(500)

    async def scenario() -> None:
        async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as client:
            provider = speaks(client, "http://provider", "key", **settings)
            with pytest.raises(ProviderFailure, match="answered 500"):
                async for _ in provider.stream(asked):
                    pass

    asyncio.run(scenario())
    return seen[0]


def named(*data: dict[str, Any]) -> bytes:
    """Events that bear their data's type as their name."""
    spelt = (f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in data)
    return "".join(spelt).encode()


def streamed(*pieces: bytes | Exception | asyncio.Event) -> httpx.Response:
    return httpx.Response(200, headers=STREAM, stream=Body(*pieces))


def failure(answer: httpx.Response | Exception, **settings: Any) -> ProviderFailure:
    with pytest.raises(ProviderFailure) as caught:
        collect(answer, **settings)
    return caught.value
