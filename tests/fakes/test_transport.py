"""The in-process transport: pieces arrive one by one, and each side notices when the other ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
import pytest

from faultloop.fakes import clock
from faultloop.fakes.asgi import WIRE, Message, Receive, Scope, Send
from faultloop.fakes.transport import StageTransport

HEAD: Message = {"type": "http.response.start", "status": 200, "headers": [(b"x-a", b"b")]}


def piece(body: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}


class Script:
    """An app that sends what the test tells it to, when the test tells it to."""

    def __init__(self) -> None:
        self.cues: asyncio.Queue[Message | str] = asyncio.Queue()
        self.gone = asyncio.Event()
        self.scope: Scope = {}
        self.body = b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self.body = (await receive())["body"]
        watcher = asyncio.create_task(self._watch(receive))
        while (cue := await self.cues.get()) != "over":
            if isinstance(cue, str):
                getattr(scope["extensions"][WIRE], cue)()
            else:
                await send(cue)
        watcher.cancel()

    async def _watch(self, receive: Receive) -> None:
        assert (await receive())["type"] == "http.disconnect"
        self.gone.set()


async def collect(client: httpx.AsyncClient, url: str, arrived: list[bytes]) -> None:
    async with client.stream("GET", url) as response:
        async for data in response.aiter_raw():
            arrived.append(data)


Story = Callable[[Script, httpx.AsyncClient], Coroutine[Any, Any, None]]


def play(story: Story) -> None:
    async def main() -> None:
        app = Script()
        async with httpx.AsyncClient(transport=StageTransport(app)) as client:
            await story(app, client)
        app.cues.put_nowait("over")

    for seed in range(5):
        clock.run(main, seed=seed)
    asyncio.run(main())  # it needs no simulated clock


def test_the_request_arrives_as_it_was_sent() -> None:
    async def story(app: Script, client: httpx.AsyncClient) -> None:
        app.cues.put_nowait(HEAD)
        app.cues.put_nowait(piece(b"ok", more=False))
        response = await client.post(
            "http://fake/r/p%201/1/tools?q=1", content=b"body", headers={"X-Call-Id": "c"}
        )
        assert (response.status_code, response.headers["x-a"], response.text) == (200, "b", "ok")
        assert app.body == b"body"
        assert (app.scope["method"], app.scope["path"]) == ("POST", "/r/p 1/1/tools")
        assert app.scope["raw_path"] == b"/r/p%201/1/tools"
        assert app.scope["query_string"] == b"q=1"
        assert (b"x-call-id", b"c") in app.scope["headers"]

    play(story)


def test_each_piece_arrives_before_the_next_is_sent() -> None:
    async def story(app: Script, client: httpx.AsyncClient) -> None:
        app.cues.put_nowait(HEAD)
        async with client.stream("GET", "http://fake/") as response:
            pieces = response.aiter_raw()
            for expected in (b"one", b"two"):
                app.cues.put_nowait(piece(expected))
                assert await anext(pieces) == expected
            app.cues.put_nowait(piece(b"", more=False))
            assert [rest async for rest in pieces] == []
            assert not app.gone.is_set()

    play(story)


async def _close_the_response(app: Script, client: httpx.AsyncClient) -> None:
    app.cues.put_nowait(HEAD)
    async with client.stream("GET", "http://fake/"):
        pass


async def _cancel_the_request(app: Script, client: httpx.AsyncClient) -> None:
    request = asyncio.create_task(client.get("http://fake/"))
    while not app.scope:
        await asyncio.sleep(0)
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request


async def _cancel_in_the_middle(app: Script, client: httpx.AsyncClient) -> None:
    app.cues.put_nowait(HEAD)
    request = asyncio.create_task(client.get("http://fake/"))
    while not app.cues.empty():
        await asyncio.sleep(0)
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request


async def _give_up_waiting(app: Script, client: httpx.AsyncClient) -> None:
    with pytest.raises(httpx.ReadTimeout, match=r"nothing was received for 0\.01 s"):
        await client.get("http://fake/", timeout=0.01)


async def _abort(app: Script, client: httpx.AsyncClient) -> None:
    app.cues.put_nowait(HEAD)
    async with client.stream("GET", "http://fake/"):
        transport = client._transport
        assert isinstance(transport, StageTransport)
        transport.abort()
        await app.gone.wait()


@pytest.mark.parametrize(
    "let_go",
    [_close_the_response, _cancel_the_request, _cancel_in_the_middle, _give_up_waiting, _abort],
)
def test_the_app_is_told_when_the_client_lets_go(let_go: Story) -> None:
    async def story(app: Script, client: httpx.AsyncClient) -> None:
        await let_go(app, client)
        await app.gone.wait()

    play(story)


def test_a_read_timeout_counts_from_the_last_piece() -> None:
    async def main() -> float:
        app, loop = Script(), clock.sim_loop()
        app.cues.put_nowait(HEAD)
        for at_s in (4, 8, 12):
            loop.call_later(at_s, app.cues.put_nowait, piece(b"x"))
        async with httpx.AsyncClient(transport=StageTransport(app), timeout=5) as client:
            with pytest.raises(httpx.ReadTimeout):
                await client.get("http://fake/")
        return loop.time()

    assert clock.run(main, seed=1) == 17


@pytest.mark.parametrize(
    ("deed", "error"),
    [("reset", httpx.ReadError), ("half_close", httpx.RemoteProtocolError)],
)
@pytest.mark.parametrize("begun", [False, True])
def test_a_modelled_break_raises_in_the_client_what_a_real_one_does(
    deed: str, error: type[httpx.TransportError], begun: bool
) -> None:
    async def story(app: Script, client: httpx.AsyncClient) -> None:
        if begun:
            app.cues.put_nowait(HEAD)
            app.cues.put_nowait(piece(b"half"))
        app.cues.put_nowait(deed)
        with pytest.raises(error, match="modelled"):
            await client.get("http://fake/")

    play(story)


def test_what_was_sent_before_a_reset_still_arrives() -> None:
    async def story(app: Script, client: httpx.AsyncClient) -> None:
        for cue in (HEAD, piece(b"half"), "reset", piece(b"lost")):
            app.cues.put_nowait(cue)
        arrived: list[bytes] = []
        with pytest.raises(httpx.ReadError):
            await collect(client, "http://fake/", arrived)
        assert arrived == [b"half"]

    play(story)


def test_an_app_that_returns_too_early_breaks_the_protocol() -> None:
    async def story(app: Script, client: httpx.AsyncClient) -> None:
        for cue in (HEAD, piece(b"half"), "over"):
            app.cues.put_nowait(cue)
        with pytest.raises(httpx.RemoteProtocolError):
            await client.get("http://fake/")

    play(story)


def test_killing_the_client_does_not_freeze_the_app_and_closes_the_connection() -> None:
    async def main() -> None:
        app, loop = Script(), clock.sim_loop()
        app.cues.put_nowait(HEAD)

        async def subject() -> None:
            async with httpx.AsyncClient(transport=StageTransport(app)) as client:
                await client.get("http://fake/")

        with loop.process("start 1"):
            loop.create_task(subject())
        await asyncio.sleep(1)
        loop.kill_process("start 1")
        await app.gone.wait()
        app.cues.put_nowait(piece(b"to nobody"))
        app.cues.put_nowait("over")
        await asyncio.sleep(1)
        assert app.cues.empty()

    clock.run(main, seed=1)
