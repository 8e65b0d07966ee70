"""Slicing changes nothing: the reference at every offset, the SDKs where it hurts and elsewhere.

A stream is cut in two at one offset, and both halves are written by themselves; what the reader
makes of it must be what it makes of the stream as it is. Every offset inside a character, a line
end or a blank line is among those that the SDKs are given.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.faults.sliced_bytes import SlicedBytes
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Stage
from faultloop.fakes.transport import StageTransport
from faultloop.loop.client import BareClient, Client
from faultloop.loop.message import UserMessage
from faultloop.loop.providers.openai_chat import OpenAIChat
from faultloop.loop.providers.port import Delta, ModelRequest

from .byte_scene import DIALECTS, PARAMETERS, asked, begun, plain

SAMPLE_EVERY = 397
"""A prime, so that the sample falls on all kinds of places."""

TOOL = {"name": "append_file", "description": "x", "parameters": PARAMETERS}


def sliced(offset: int | None) -> tuple[Stage, str]:
    return begun(*([] if offset is None else [SlicedBytes(at="step 1", offsets=(offset,))]))


def offsets(dialect: str) -> range:
    """All inner offsets of the dialect's stream."""
    return range(1, len(b"".join(plain(dialect, stream=True))))


def hurting(dialect: str) -> list[int]:
    """Inside a character, inside CRLF, and inside a blank line."""
    body = b"".join(plain(dialect, stream=True))
    return [
        at
        for at in offsets(dialect)
        if body[at] & 0xC0 == 0x80
        or body[at - 1 : at + 1] in (b"\r\n", b"\n\n")
        or body[at - 2 : at + 2] == b"\r\n\r\n"
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_hurts_is_in_every_stream(dialect: str) -> None:
    body = b"".join(plain(dialect, stream=True))
    blank = b"\r\n\r\n" if b"\r" in body else b"\n\n"
    assert all(body.count(one) for one in ("🙂".encode(), "漢".encode(), blank))
    assert len(hurting(dialect)) >= body.count(blank) + 3 * body.count("🙂".encode())


# --- the reference --------------------------------------------------------------------------


async def deltas(client: Client, url: str, text: str) -> list[Delta]:
    request = ModelRequest(
        model="m", system="", messages=(UserMessage(id="1", text=text),), tools=(TOOL,), stream=True
    )
    return [delta async for delta in OpenAIChat(client, f"{url}/v1").stream(request)]


def test_no_slice_changes_what_the_reference_reads_in_process() -> None:
    async def read(offset: int | None) -> list[Delta]:
        stage, text = sliced(offset)
        async with BareClient(StageTransport(App({"p": stage}))) as client:
            found = await deltas(client, "http://fake/r/p/1", text)
        assert stage.unfired_faults() == ()
        return found

    async def main() -> None:
        expected = await read(None)
        assert len(expected) > 8
        for offset in offsets("openai_chat"):
            assert await read(offset) == expected, offset

    plain("openai_chat", stream=True)
    clock.run(main, seed=1)


def test_no_slice_changes_what_the_reference_reads_over_a_socket() -> None:
    async def main() -> None:
        app = App()
        async with Server(app) as server, httpx.AsyncClient(trust_env=False) as client:

            async def read(offset: int | None) -> list[Delta]:
                app.stages["p"], text = sliced(offset)
                return await deltas(client, f"{server.url}/r/p/1", text)

            expected = await read(None)
            for offset in offsets("openai_chat"):
                assert await read(offset) == expected, offset
                assert app.stages["p"].unfired_faults() == ()

    plain("openai_chat", stream=True)
    asyncio.run(main())


# --- the official SDKs ----------------------------------------------------------------------

Ask = Callable[[str], Awaitable[Any]]
"""Sends the user's message, and gives what the SDK made of the stream."""


async def openai_chat(url: str, stack: AsyncExitStack) -> Ask:
    client = await _openai(url, stack)

    async def ask(text: str) -> Any:
        _, body = asked("openai_chat", text, stream=True)
        del body["stream"]
        async with client.chat.completions.stream(**body) as stream:
            return (await stream.get_final_completion()).model_dump()

    return ask


async def openai_responses(url: str, stack: AsyncExitStack) -> Ask:
    client = await _openai(url, stack)

    async def ask(text: str) -> Any:
        _, body = asked("openai_responses", text, stream=True)
        del body["stream"]
        async with client.responses.stream(**body) as stream:
            return (await stream.get_final_response()).model_dump()

    return ask


async def _openai(url: str, stack: AsyncExitStack) -> Any:
    openai = pytest.importorskip("openai", reason="the extra `openai` is not installed")
    http = await stack.enter_async_context(openai.DefaultAsyncHttpxClient(trust_env=False))
    return openai.AsyncOpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0, http_client=http)


async def anthropic_messages(url: str, stack: AsyncExitStack) -> Ask:
    anthropic = pytest.importorskip("anthropic")
    http = await stack.enter_async_context(anthropic.DefaultAsyncHttpxClient(trust_env=False))
    client = anthropic.AsyncAnthropic(api_key="none", base_url=url, max_retries=0, http_client=http)

    async def ask(text: str) -> Any:
        _, body = asked("anthropic_messages", text, stream=True)
        del body["stream"]
        async with client.messages.stream(**body) as stream:
            return (await stream.get_final_message()).model_dump()

    return ask


async def gemini(url: str, stack: AsyncExitStack) -> Ask:
    genai = pytest.importorskip("google.genai")
    options = genai.types.HttpOptions(base_url=url, async_client_args={"trust_env": False})
    client = genai.Client(api_key="none", http_options=options)
    stack.push_async_callback(client.aio.aclose)
    config = genai.types.GenerateContentConfig(
        tools=[{"function_declarations": [{"name": "append_file", "description": "x"}]}]
    )

    async def ask(text: str) -> Any:
        stream = await client.aio.models.generate_content_stream(
            model="m", contents=text, config=config
        )
        return [one.model_dump(exclude={"sdk_http_response"}) async for one in _all(stream)]

    return ask


async def _all(stream: Any) -> AsyncIterator[Any]:
    async for one in stream:
        yield one


@pytest.mark.parametrize("client", [openai_chat, openai_responses, anthropic_messages, gemini])
def test_no_slice_changes_what_an_sdk_reads(
    client: Callable[[str, AsyncExitStack], Awaitable[Ask]],
) -> None:
    dialect = client.__name__
    chosen = sorted({*hurting(dialect), *offsets(dialect)[::SAMPLE_EVERY]})
    assert len(chosen) > 20

    async def main() -> None:
        app = App()
        async with Server(app) as server, AsyncExitStack() as stack:
            ask = await client(f"{server.url}/r/p/1", stack)

            async def read(offset: int | None) -> Any:
                app.stages["p"], text = sliced(offset)
                return await ask(text)

            expected = await read(None)
            for offset in chosen:
                assert await read(offset) == expected, offset
                assert app.stages["p"].unfired_faults() == ()

    asyncio.run(main())
