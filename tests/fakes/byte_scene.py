"""A reply of each dialect, and a client that sees the very bytes in which it comes."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx

from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.history import FaultFired, ReplyClosed
from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Plan, Stage
from faultloop.fakes.transport import StageTransport
from faultloop.fakes.world.spec import WorldSpec

from .carried import NoDeeds

LINE = ScriptedCall.of("append_file", {"path": "ü.txt", "line": "€ 5, 漢字 and 🙂"})
SAID = Step(say="Grüße – 漢字 🙂 und mehr.", calls=(LINE,))
PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}}

DIALECTS = ("openai_chat", "openai_responses", "anthropic_messages", "gemini")
EITHER_WAY = (True, False)


def plan(*faults: Fault, step: Step = SAID) -> Plan:
    return Plan(
        seed=1,
        play="p",
        script=Script(turns=((step, Step(say="Done.")),)),
        inputs=("Go.",),
        world=WorldSpec(files={}),
        faults=faults,
    )


def begun(*faults: Fault) -> tuple[Stage, str]:
    """A stage whose plays are alike to the byte, and the user's message."""
    stage = Stage(plan(*faults), clock=lambda: 0.0, deeds=NoDeeds())
    return stage, stage.begin(1, 0, resume=False)


def asked(dialect: str, text: str, *, stream: bool) -> tuple[str, dict[str, Any]]:
    """Path and body of a request."""
    tool = {"name": "append_file", "parameters": PARAMETERS}
    if dialect == "openai_chat":
        return "v1/chat/completions", {
            "model": "m",
            "messages": [{"role": "user", "content": text}],
            "tools": [{"type": "function", "function": tool}],
            "stream": stream,
        }
    if dialect == "openai_responses":
        more = {"type": "function", "strict": False, **tool}
        return "v1/responses", {"model": "m", "input": text, "tools": [more], "stream": stream}
    if dialect == "anthropic_messages":
        return "v1/messages", {
            "model": "m",
            "max_tokens": 64,
            "messages": [{"role": "user", "content": text}],
            "tools": [{"name": "append_file", "input_schema": PARAMETERS}],
            "stream": stream,
        }
    verb = "streamGenerateContent?alt=sse" if stream else "generateContent"
    return f"v1beta/models/m:{verb}", {
        "contents": [{"role": "user", "parts": [{"text": text}]}],
        "tools": [{"functionDeclarations": [tool]}],
    }


HEADERS = {"anthropic-version": "2023-06-01", "x-api-key": "k", "authorization": "Bearer k"}


@dataclass
class Seen:
    """What came over a socket."""

    pieces: list[bytes] = field(default_factory=list)
    """One for each read."""
    end: Literal["open", "fin", "rst"] = "open"

    @property
    def data(self) -> bytes:
        return b"".join(self.pieces)

    @property
    def head(self) -> str:
        return self.data.split(b"\r\n\r\n", 1)[0].decode("latin-1").lower()

    @property
    def rest(self) -> bytes:
        """All after the head, as it is on the wire."""
        return self.data.split(b"\r\n\r\n", 1)[1] if b"\r\n\r\n" in self.data else b""

    @property
    def chunks(self) -> list[bytes]:
        """The chunks of a chunked body, as far as they came whole; the last, empty one too."""
        rest, found = self.rest, []
        while b"\r\n" in rest:
            size, rest = rest.split(b"\r\n", 1)
            length = int(size, 16)
            if len(rest) < length:
                break
            found.append(rest[:length])
            rest = rest[length + 2 :]
            if not length:
                break
        return found

    @property
    def body(self) -> bytes:
        return b"".join(self.chunks) if "chunked" in self.head else self.rest

    @property
    def length(self) -> int | None:
        """What `Content-Length` says."""
        found = [one for one in self.head.split("\r\n") if one.startswith("content-length: ")]
        return int(found[0].split(": ")[1]) if found else None


class RawScene:
    """A play on a real server, and a client that knows no HTTP."""

    def __init__(self, stage: Stage, url: str, request: bytes) -> None:
        self.stage = stage
        self.url = url
        self.socket = socket.socket()
        self.request = request

    async def send(self) -> None:
        """Ask; the first time the connection is opened for it."""
        loop = asyncio.get_running_loop()
        if self.socket.getsockname()[1] == 0:
            self.socket.setblocking(False)
            parts = urlsplit(self.url)
            await loop.sock_connect(self.socket, (parts.hostname, parts.port))
        await loop.sock_sendall(self.socket, self.request)

    async def see(self, enough: Callable[[Seen], bool] = lambda seen: False) -> Seen:
        """Read until it is enough, or the connection has ended."""
        loop, seen = asyncio.get_running_loop(), Seen()
        while not enough(seen):
            try:
                data = await loop.sock_recv(self.socket, 1 << 20)
            except ConnectionResetError:
                seen.end = "rst"
                break
            if not data:
                seen.end = "fin"
                break
            seen.pieces.append(data)
        return seen

    @property
    def fired(self) -> list[tuple[str, bool]]:
        return [(e.kind, e.modelled) for e in self.stage.history if isinstance(e, FaultFired)]

    @property
    def closed(self) -> tuple[str, int]:
        """How the reply was closed, and how many of its calls were complete."""
        (entry,) = [e for e in self.stage.history if isinstance(e, ReplyClosed)]
        return entry.outcome, len(entry.calls_complete)


@asynccontextmanager
async def raw(dialect: str, *faults: Fault, stream: bool) -> AsyncIterator[RawScene]:
    stage, text = begun(*faults)
    app = App({"p": stage})
    path, body = asked(dialect, text, stream=stream)
    content = json.dumps(body).encode()
    headers = {**HEADERS, "host": "fake", "content-length": str(len(content))}
    lines = [f"POST /r/p/1/{path} HTTP/1.1", *(f"{name}: {it}" for name, it in headers.items())]
    request = "\r\n".join([*lines, "", ""]).encode() + content
    async with Server(app) as server:
        scene = RawScene(stage, server.url, request)
        with closing(scene.socket):
            yield scene
        await stage.close()
    assert app.failures == {}


def ended(seen: Seen) -> bool:
    """The response has its proper end."""
    if b"\r\n\r\n" not in seen.data:
        return False
    if seen.length is None:
        return seen.data.endswith(b"0\r\n\r\n") or b"\r\n0\r\n" in seen.rest[-80:]
    return len(seen.rest) >= seen.length


@cache
def plain(dialect: str, *, stream: bool) -> list[bytes]:
    """The pieces of the body where nothing is wrong, in process. First asked outside of a loop."""
    arrived, _, error = in_process(dialect, stream=stream)
    assert error is None
    return arrived


def in_process(
    dialect: str, *faults: Fault, stream: bool
) -> tuple[list[bytes], Stage, type[httpx.TransportError] | None]:
    """The pieces of the body that a client in process gets, and what it suffers."""

    async def main() -> tuple[list[bytes], Stage, type[httpx.TransportError] | None]:
        stage, text = begun(*faults)
        path, body = asked(dialect, text, stream=stream)
        app = App({"p": stage})
        arrived: list[bytes] = []
        error = None
        async with httpx.AsyncClient(
            transport=StageTransport(app), base_url="http://fake/r/p/1/", headers=HEADERS
        ) as client:
            try:
                async with client.stream(
                    "POST", path, content=json.dumps(body), timeout=None
                ) as response:
                    assert response.status_code == 200, await response.aread()
                    async for piece in response.aiter_raw():
                        arrived.append(piece)
            except httpx.TransportError as failed:
                error = type(failed)
        await stage.close()
        assert app.failures == {}
        return arrived, stage, error

    return clock.run(main, seed=1)
