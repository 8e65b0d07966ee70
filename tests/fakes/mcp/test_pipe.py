"""MCP over stdio: lines into the pipe, lines out of it, and the world behind it (`fakes.mcp.pipe`).

The program is started as a subject would start it; each test waits for lines, never for time.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.fakes.carried import APPEND, NoDeeds, plan

from faultloop.fakes.app import App
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import CallAbandoned, CallArrived
from faultloop.fakes.mcp import pipe
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Stage

from .talk import ENVELOPE, HELLO, META, call, request

VERSION = "io.modelcontextprotocol/protocolVersion"
PROGRAM = (sys.executable, "-I", pipe.__file__)


class Piped:
    """A client of the program."""

    def __init__(self, process: asyncio.subprocess.Process, stage: Stage) -> None:
        self.process = process
        self.stage = stage

    def write(self, message: object) -> None:
        assert self.process.stdin is not None
        text = message if isinstance(message, str) else json.dumps(message)
        self.process.stdin.write(text.encode() + b"\n")

    async def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        message: dict[str, Any] = json.loads(line)
        return message

    async def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.write(message)
        return await self.read()

    async def hello(self) -> None:
        assert (await self.ask(request("initialize", HELLO)))["result"]["serverInfo"]
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})


Story = Callable[[Piped], Awaitable[None]]


@asynccontextmanager
async def program(*arguments: str, **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *PROGRAM,
        *arguments,
        env={**os.environ, **environment},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def piped(story: Story, *faults: Any, by_environment: bool = False) -> None:
    async def tell() -> None:
        stage = Stage(plan(*faults), clock=asyncio.get_running_loop().time, deeds=NoDeeds())
        app = App({"p": stage})
        async with Server(app) as server:
            url = f"{server.url}/r/p/1/mcp"
            told = {"FAULTLOOP_MCP_URL": url} if by_environment else {}
            async with program(*(() if by_environment else (url,)), **told) as process:
                await story(Piped(process, stage))
            await stage.close()
        assert app.failures == {}

    async def bounded() -> None:
        async with asyncio.timeout(60):
            await tell()

    asyncio.run(bounded())


@pytest.mark.parametrize("by_environment", [False, True])
def test_lines_reach_the_world_and_come_back(by_environment: bool) -> None:
    async def story(client: Piped) -> None:
        await client.hello()
        client.write("")
        listed = await client.ask(request("tools/list", number="l"))
        assert listed["id"] == "l"
        assert listed["result"]["tools"][0]["name"] == "read_file"
        said = await client.ask(call("append_file", APPEND, number=3, faultloop__callId="c"))
        assert (said["id"], said["result"]["isError"]) == (3, False)
        (effect,) = client.stage.ledger.effects
        assert (effect.call_id, effect.start) == ("c", 1)

    piped(story, by_environment=by_environment)


@pytest.mark.parametrize(
    "line",
    [
        "no JSON",
        "[" * 100_000,
        '{"a":' + "[" * 100_000 + "]" * 100_000 + "}",
        json.dumps([request("ping")]),
        json.dumps(request("ping")) * 2,
        json.dumps(request("t\u00f6\u4e16\r\nx: y", {"_meta": META})),
        json.dumps(request("ping", {"_meta": {**META, VERSION: "\u4e16\n"}})),
        json.dumps(request("tools/call", {"name": "\ud800", "_meta": META})),
    ],
    ids=["text", "deep", "deep in an object", "batch", "two", "method", "version", "name"],
)
def test_a_line_that_is_wrong_ends_nothing(line: str) -> None:
    async def story(client: Piped) -> None:
        await client.hello()
        client.write(line)
        client.write(request("server/discover", {"_meta": META}, number=2))
        said = await client.read()
        if said["id"] != 2:  # what is a request has an answer of its own
            assert said["error"]["code"] in (-32700, -32601, -32022)
            said = await client.read()
        assert said["result"]["supportedVersions"] == [ENVELOPE]

    piped(story)


def test_events_that_are_cut_off_end_it_as_a_lost_answer_does() -> None:
    async def cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = b"content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
        writer.write(b"HTTP/1.1 200 OK\r\n" + head + b"a\r\ndata: {}\n\n\r\n")
        await writer.drain()
        writer.close()

    async def main() -> None:
        server = await asyncio.start_server(cut, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, program(f"http://127.0.0.1:{port}/mcp") as process:
            client = Piped(process, None)  # type: ignore[arg-type]
            async with asyncio.timeout(60):
                assert await client.ask(request("tools/call")) == {}
                assert await process.wait() == 1

    asyncio.run(main())


def test_requests_keep_the_order_in_which_they_were_written() -> None:
    async def story(client: Piped) -> None:
        await client.hello()
        for number in range(20):
            client.write(call("append_file", {"path": "a.txt", "line": str(number)}, number=number))
        assert {(await client.read())["id"] for _ in range(20)} == {*range(20)}
        arrived = [e.arguments for e in client.stage.history if isinstance(e, CallArrived)]
        assert [json.loads(text)["line"] for text in arrived] == [*map(str, range(20))]

    piped(story)


def test_a_client_may_try_the_newer_era_first_and_then_shake_hands() -> None:
    async def story(client: Piped) -> None:
        await client.ask(request("server/discover", {"_meta": META}))
        await client.hello()
        assert (await client.ask(request("ping", number=5)))["result"] == {}

    piped(story)


def test_a_request_with_an_envelope_needs_no_handshake() -> None:
    async def story(client: Piped) -> None:
        found = await client.ask(request("server/discover", {"_meta": META}))
        assert found["result"]["supportedVersions"] == [ENVELOPE]
        params = {"name": "über", "arguments": {}, "_meta": META}
        said = await client.ask(request("tools/call", params, number=2))
        assert said["error"]["data"]["code"] == "UNKNOWN_TOOL"

    piped(story)


@pytest.mark.parametrize("meta", [{}, META])
def test_a_cancel_reaches_the_call_in_either_era(meta: dict[str, object]) -> None:
    async def story(client: Piped) -> None:
        if not meta:
            await client.hello()
        params = {"name": "append_file", "arguments": APPEND}
        params["_meta"] = {**meta, "progressToken": "t"}
        told = await client.ask(request("tools/call", params, number=8))
        assert told["method"] == "notifications/progress"
        let_go = {"requestId": 8}
        client.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": let_go})
        await client.stage.settled()
        stopped = [e.stopped for e in client.stage.history if isinstance(e, CallAbandoned)]
        assert stopped == [True]
        assert client.stage.ledger.effects == []

    piped(story, KINDS["tool_slow"](at="tool append_file"))


def test_a_client_that_closes_its_end_lets_go_of_its_calls() -> None:
    async def story(client: Piped) -> None:
        await client.hello()
        await client.ask(call("append_file", APPEND, progressToken="t"))
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert await client.process.wait() == 0
        await client.stage.settled()
        assert client.stage.ledger.effects == []

    piped(story, KINDS["tool_slow"](at="tool append_file"))


def test_an_answer_that_arrives_twice_is_two_lines() -> None:
    async def story(client: Piped) -> None:
        await client.hello()
        first = await client.ask(call("append_file", APPEND, number=4))
        assert first == await client.read()
        assert len(client.stage.ledger.effects) == 1

    piped(story, KINDS["answer_delivered_twice"](at="tool append_file"))


def test_a_gateways_page_becomes_an_error_that_does_not_say_what_happened() -> None:
    async def story(client: Piped) -> None:
        await client.hello()
        error = (await client.ask(call("append_file", APPEND, number=4)))["error"]
        assert error["code"] == -32603
        assert error["message"].startswith("HTTP 504")
        assert "504 Gateway Time-out" in error["data"]["page"]
        assert len(client.stage.ledger.effects) == 1

    piped(story, KINDS["gateway_timeout_after_effect"](at="tool append_file"))


def test_a_lost_reply_ends_the_program_as_a_crash_would() -> None:
    async def story(client: Piped) -> None:
        await client.hello()
        client.write(call("append_file", APPEND))
        assert await client.process.wait() == 1
        assert client.process.stdout is not None
        assert await client.process.stdout.read() == b""
        assert len(client.stage.ledger.effects) == 1

    piped(story, KINDS["lost_reply"](at="tool append_file"))


def test_half_a_surrogate_pair_comes_through_as_it_was_escaped() -> None:
    async def story(client: Piped) -> None:
        await client.hello()
        said = await client.ask(call("append_file", APPEND))
        assert said["result"]["content"][0]["text"].endswith("\ud83d")

    piped(story, KINDS["lone_surrogates"](at="tool append_file"))


def test_the_pipe_tells_that_the_list_has_changed() -> None:
    async def story(client: Piped) -> None:
        await client.hello()
        client.write(request("tools/list", number=2))
        heard = [await client.read(), await client.read()]
        (changed,) = [one for one in heard if "method" in one]
        assert changed["method"] == "notifications/tools/list_changed"

    piped(story, KINDS["schema_drift"](at="tool append_file", parameter="path", renamed="file"))


def test_lines_that_are_no_messages_are_passed_over() -> None:
    async def story(client: Piped) -> None:
        for line in ("{", "[]", "7", '{"id": 1}'):
            client.write(line)
        client.write(request("tools/list", number=1))
        answer = await client.read()
        assert answer["error"]["message"] == "Bad Request: Missing session ID"

    piped(story)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ((), 2, "give the URL of the world's MCP endpoint, or set FAULTLOOP_MCP_URL to it"),
        (("http://127.0.0.1:9/r/p/1/mcp",), 1, "the world cannot be reached"),
    ],
)
def test_a_world_that_is_not_there_is_told_in_a_sentence(
    arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    async def tell() -> None:
        async with program(*arguments, FAULTLOOP_MCP_URL="") as process:
            output, errors = await process.communicate(json.dumps(request("ping")).encode())
            assert (process.returncode, output) == (code, b"")
            assert sentence in errors.decode()
            assert "Traceback" not in errors.decode()

    asyncio.run(tell())
