"""Chat Completions on the wire: chunks, bodies that come in pieces, and what is made of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from faultloop.loop.message import UserMessage
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
Handler = Callable[[httpx.Request], httpx.Response]


def collect(
    answer: httpx.Response | Exception, asked: ModelRequest | None = None, **settings: Any
) -> list[Delta]:
    """What comes of one request that is answered like this."""

    def handler(_: httpx.Request) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def scenario() -> list[Delta]:
        async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as client:
            provider = OpenAIChat(client, "http://provider/v1/", "key", **settings)
            return [delta async for delta in provider.stream(asked or request())]

    return asyncio.run(scenario())


def streamed(*pieces: bytes | Exception | asyncio.Event) -> httpx.Response:
    return httpx.Response(200, headers=STREAM, stream=Body(*pieces))


def failure(answer: httpx.Response | Exception, **settings: Any) -> ProviderFailure:
    with pytest.raises(ProviderFailure) as caught:
        collect(answer, **settings)
    return caught.value
