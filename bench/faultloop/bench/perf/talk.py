"""A client of one talk with the fake provider, over sockets: asks, reads, calls tools, lets go.

Just enough of HTTP and of Chat Completions for hundreds of them in one process: a connection for
each request, a body that is chunked, counted or broken off. What is heard is kept as it came.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

STREAM = b"data: "


class Answered(NamedTuple):
    """An HTTP response."""

    status: int
    body: bytes
    is_whole: bool
    """It came to its proper end."""


class Said(NamedTuple):
    """What the model said."""

    text: str
    calls: tuple[dict[str, Any], ...]
    """As a request repeats them."""

    @property
    def message(self) -> dict[str, Any]:
        """As the next request repeats it."""
        calls = {"tool_calls": list(self.calls)} if self.calls else {}
        return {"role": "assistant", "content": self.text or None, **calls}


class Line:
    """The way to one server."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.heard = bytearray()
        """The bodies of all responses, whatever became of them."""

    async def get(self, path: str) -> Answered:
        """Ask for something that is there."""
        return await self._exchange("GET", path, b"", {})

    async def post(
        self, path: str, body: bytes, headers: dict[str, str] | None = None, *, patient: bool = True
    ) -> Answered:
        """Send something; without patience, let go when the first event of a stream is there."""
        return await self._exchange("POST", path, body, headers or {}, patient=patient)

    async def _exchange(
        self, method: str, path: str, body: bytes, headers: dict[str, str], *, patient: bool = True
    ) -> Answered:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        lines = {"host": "fake", "connection": "close", "content-length": str(len(body)), **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        came = b""
        try:
            if patient:
                came = await _all(reader)
            else:
                came = await reader.readuntil(STREAM)
        finally:
            writer.transport.abort() if not patient else writer.close()
        answered = _read(came)
        self.heard += answered.body
        return answered


async def _all(reader: asyncio.StreamReader) -> bytes:
    """All that comes, until the connection ends in one way or another."""
    came = bytearray()
    try:
        while piece := await reader.read(65536):
            came += piece
    except ConnectionResetError:
        pass
    return bytes(came)


def _read(came: bytes) -> Answered:
    head, _, rest = came.partition(b"\r\n\r\n")
    status = int(head[9:12] or 0)
    if b"transfer-encoding: chunked" not in head:
        return Answered(status, rest, is_whole=bool(head))
    body = bytearray()
    while True:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size or b"0", 16)
        body += rest[:length]
        if not length or len(rest) < length + 2:
            return Answered(status, bytes(body), is_whole=size == b"0")
        rest = rest[length + 2 :]


def understood(answered: Answered) -> Said:
    """A `chat.completion` or its chunks."""
    if answered.body.startswith(b"{"):
        message = json.loads(answered.body)["choices"][0]["message"]
        return Said(message["content"] or "", tuple(message.get("tool_calls") or ()))
    text = ""
    calls: dict[int, dict[str, Any]] = {}
    for event in answered.body.split(b"\n\n"):
        if not event.startswith(b"data: {"):
            continue
        for choice in json.loads(event.removeprefix(STREAM))["choices"]:
            text += choice["delta"].get("content") or ""
            for piece in choice["delta"].get("tool_calls") or ():
                call = calls.setdefault(piece["index"], piece)
                if call is not piece:
                    call["function"]["arguments"] += piece["function"]["arguments"]
    return Said(text, tuple({k: v for k, v in c.items() if k != "index"} for c in calls.values()))
