"""The real server: the same app over a socket, and what only a socket can do."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
import pytest

from faultloop.fakes.asgi import WIRE, Message, Receive, Scope, Send
from faultloop.fakes.server import CannotListen, PortInUse, Server

HEAD: Message = {"type": "http.response.start", "status": 200, "headers": []}


class Script:
    """An app that sends what the test tells it to, when the test tells it to."""

    def __init__(self) -> None:
        self.cues: asyncio.Queue[Message | str] = asyncio.Queue()
        self.arrived = asyncio.Event()
        self.gone = asyncio.Event()
        self.wire: Any = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wire = self.wire = scope["extensions"][WIRE]
        await receive()
        self.arrived.set()
        watcher = asyncio.create_task(self._watch(receive))
        try:
            while (cue := await self.cues.get()) != "over":
                if isinstance(cue, str):
                    getattr(wire, cue)()
                else:
                    await send(cue)
        finally:
            watcher.cancel()

    async def _watch(self, receive: Receive) -> None:
        assert (await receive())["type"] == "http.disconnect"
        self.gone.set()


def piece(body: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}


async def collect(client: httpx.AsyncClient, url: str, arrived: list[bytes]) -> None:
    async with client.stream("GET", url) as response:
        async for data in response.aiter_raw():
            arrived.append(data)


def play(story: Callable[[Script, Server, httpx.AsyncClient], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        app = Script()
        async with (
            Server(app) as server,
            httpx.AsyncClient(trust_env=False, verify=False) as client,
        ):
            await story(app, server, client)

    asyncio.run(main())


def test_each_piece_arrives_before_the_next_is_sent() -> None:
    async def story(app: Script, server: Server, client: httpx.AsyncClient) -> None:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", server.url)
        app.cues.put_nowait(HEAD)
        async with client.stream("GET", server.url) as response:
            pieces = response.aiter_raw()
            for expected in (b"one", b"two"):
                app.cues.put_nowait(piece(expected))
                assert await anext(pieces) == expected
            app.cues.put_nowait(piece(b"", more=False))
            app.cues.put_nowait("over")
            assert [rest async for rest in pieces] == []
        assert {"server", "date"}.isdisjoint(response.headers)

    play(story)


def test_the_app_is_told_when_the_client_lets_go() -> None:
    async def story(app: Script, server: Server, client: httpx.AsyncClient) -> None:
        request = asyncio.create_task(client.get(server.url))
        await app.arrived.wait()
        assert not app.wire.gone.is_set()
        request.cancel()
        await app.gone.wait()
        await app.wire.gone.wait()

    play(story)


def test_no_answer_waits_for_an_acknowledgement() -> None:
    async def story(app: Script, server: Server, client: httpx.AsyncClient) -> None:
        for cue in (HEAD, piece(b"", more=False), "over"):
            app.cues.put_nowait(cue)
        await client.get(server.url)
        connection = app.wire._transport.get_extra_info("socket")
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    play(story)


def test_a_reset_reaches_the_client_as_one_after_what_was_sent() -> None:
    async def story(app: Script, server: Server, client: httpx.AsyncClient) -> None:
        for cue in (HEAD, piece(b"half"), "reset", "over"):
            app.cues.put_nowait(cue)
        arrived: list[bytes] = []
        with pytest.raises(httpx.ReadError):
            await collect(client, server.url, arrived)
        assert arrived == [b"half"]

    play(story)


def test_a_reset_before_the_head_is_one_too() -> None:
    async def story(app: Script, server: Server, client: httpx.AsyncClient) -> None:
        for cue in ("reset", "over"):
            app.cues.put_nowait(cue)
        with pytest.raises(httpx.ReadError):
            await client.get(server.url)

    play(story)


def test_a_half_closed_connection_is_a_broken_protocol() -> None:
    async def story(app: Script, server: Server, client: httpx.AsyncClient) -> None:
        for cue in (HEAD, piece(b"half"), "half_close"):
            app.cues.put_nowait(cue)
        with pytest.raises(httpx.RemoteProtocolError, match="incomplete chunked read"):
            await client.get(server.url)

    play(story)


def test_the_end_waits_for_nobody() -> None:
    async def main() -> type[BaseException]:
        app = Script()
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            async with Server(app) as server:
                hung = asyncio.create_task(client.get(server.url, timeout=None))
                await app.arrived.wait()
            with pytest.raises(httpx.TransportError) as caught:
                await hung
            return caught.type

    assert asyncio.run(asyncio.wait_for(main(), 60)) in {httpx.ReadError, httpx.RemoteProtocolError}


def test_a_port_in_use_and_an_address_of_others_are_said_in_a_sentence() -> None:
    async def main() -> None:
        async with Server(Script()) as first:
            port = int(first.url.rsplit(":", 1)[1])
            with pytest.raises(PortInUse, match=rf"port {port} on 127\.0\.0\.1 is in use"):
                await Server(Script(), port=port).__aenter__()
        async with Server(Script(), port=port):
            pass  # free again at once
        with pytest.raises(CannotListen, match=r"cannot listen on port 0 of 192\.0\.2\.1: "):
            await Server(Script(), host="192.0.2.1").__aenter__()

    asyncio.run(main())


def test_signal_handlers_and_loggers_are_left_alone() -> None:
    async def main() -> None:
        import logging
        import signal

        before = signal.getsignal(signal.SIGINT), logging.root.handlers[:]
        async with Server(Script()):
            assert (signal.getsignal(signal.SIGINT), logging.root.handlers[:]) == before

    asyncio.run(main())
