"""A body that flows past uvicorn: as uvicorn would send it, no faster than it is read, and seen to
be let go of."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

import pytest

from faultloop.fakes.asgi import WIRE, AsgiApp, Receive, Scope, Send
from faultloop.fakes.server import IN_A_ROW, Server

PIECES = [b"%d;" % number * 20_000 for number in range(100)]
"""More than any buffer takes."""


class Flowing:
    """An app that lets pieces flow and tells how many went."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = pieces
        self.began = asyncio.Event()
        self.sent: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.wire: Any = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.wire = scope["extensions"][WIRE]
        await receive()
        self.began.set()
        self.sent.set_result(await self.wire.flow((), self.pieces))

    async def stuck(self) -> None:
        """Until the client's side is full."""
        await self.began.wait()
        while not self.wire.cycle.flow.write_paused:
            await asyncio.sleep(0)


class Client(NamedTuple):
    """A client that reads when it is told to."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def ask(self) -> None:
        self.writer.write(b"GET / HTTP/1.1\r\nhost: fake\r\n\r\n")

    async def body(self) -> list[bytes]:
        """The chunks of one response."""
        while (await self.reader.readline()).strip():
            pass
        chunks = []
        while size := int(await self.reader.readline(), 16):
            chunks.append(await self.reader.readexactly(size))
            await self.reader.readline()
        await self.reader.readline()
        return chunks


def play(
    story: Callable[[Flowing, Client], Coroutine[Any, Any, None]], pieces: list[bytes]
) -> None:
    async def main() -> None:
        app = Flowing(pieces)
        async with Server(app) as server, asyncio.timeout(30):
            port = int(server.url.rsplit(":", 1)[1])
            with socket.socket() as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.connect(("127.0.0.1", port))
                reader, writer = await asyncio.open_connection(sock=connection)
                client = Client(reader, writer)
                client.ask()
                await story(app, client)
                writer.close()

    asyncio.run(main())


def test_each_piece_is_a_chunk_and_an_empty_one_is_none() -> None:
    async def story(app: Flowing, client: Client) -> None:
        assert await client.body() == [b"one", b"two"]
        assert await app.sent == 4

    play(story, [b"", b"one", b"", b"two"])


def test_it_waits_for_a_client_that_reads_slowly() -> None:
    async def story(app: Flowing, client: Client) -> None:
        await app.stuck()
        held = app.wire.cycle.transport.get_write_buffer_size()
        assert held < sum(map(len, PIECES)) / 4
        assert not app.sent.done()
        assert await client.body() == PIECES
        assert await app.sent == len(PIECES)

    play(story, PIECES)


def test_it_ends_when_the_client_lets_go() -> None:
    async def story(app: Flowing, client: Client) -> None:
        await app.stuck()
        client.writer.transport.abort()
        assert 0 < await app.sent < len(PIECES)

    play(story, PIECES)


def test_a_connection_is_kept_for_the_next_request() -> None:
    async def story(app: Flowing, client: Client) -> None:
        assert await client.body() == [b"one"]
        app.sent = asyncio.get_running_loop().create_future()
        client.ask()
        assert await client.body() == [b"one"]

    play(story, [b"one"])


HEADERS = (("content-type", "text/event-stream"), ("x-request-id", "req_1"))


async def by_asgi(scope: Scope, receive: Receive, send: Send) -> None:
    """As uvicorn sends it."""
    await receive()
    fields = [(name.encode(), value.encode()) for name, value in HEADERS]
    await send({"type": "http.response.start", "status": 200, "headers": fields})
    for data in (b"one", b"", b"two" * 9):
        await send({"type": "http.response.body", "body": data, "more_body": True})
    await send({"type": "http.response.body", "body": b"three", "more_body": False})


async def by_flow(scope: Scope, receive: Receive, send: Send) -> None:
    """As it flows."""
    await receive()
    await scope["extensions"][WIRE].flow(HEADERS, [b"one", b"", b"two" * 9, b"three"])


async def answer_of(app: AsgiApp, request: bytes) -> bytes:
    """All that is sent on a connection, to the end mark or, where it is closed, to its end."""
    async with Server(app) as server, asyncio.timeout(30):
        port = int(server.url.rsplit(":", 1)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        answer = await reader.readuntil(b"\r\n0\r\n\r\n")
        if b"connection: close" in answer:
            answer += await reader.read() + b"(closed)"
        writer.close()
        return answer


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\nhost: fake\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: fake\r\nconnection: close\r\n\r\n",
        b"GET / HTTP/1.0\r\nhost: fake\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: fake\r\nexpect: 100-continue\r\n\r\n",
    ],
    ids=["kept", "closed", "http 1.0", "expect"],
)
def test_what_flows_is_what_uvicorn_would_send(request_: bytes) -> None:
    flows, sent = (asyncio.run(answer_of(app, request_)) for app in (by_flow, by_asgi))
    assert flows == sent


def test_others_have_their_turn_while_a_long_body_flows() -> None:
    async def story(app: Flowing, client: Client) -> None:
        turns = 0
        await app.began.wait()
        while not app.sent.done():
            turns += 1
            await asyncio.sleep(0)
        assert turns >= 160 // IN_A_ROW

    play(story, [b"%d" % number for number in range(160)])
