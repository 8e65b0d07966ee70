"""A client that knows little of HTTP, so that it hides nothing: what arrived, and how it ended.

It sends one request on a connection of its own, and reads until the body is complete by its own
account, or the connection is over, or nothing comes any more.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Ending = Literal["last chunk", "Content-Length", "FIN", "RST", "silence"]

HEAD_END = b"\r\n\r\n"
EVENT_END = b"\n\n"
LAST_CHUNK = b"\r\n0\r\n\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request as it is sent."""

    path: str
    body: object = None
    """Sent as JSON; None: no body."""
    method: str = "POST"
    headers: Mapping[str, str] | None = None

    def encode(self) -> bytes:
        """Its bytes."""
        content = b"" if self.body is None else json.dumps(self.body).encode()
        headers = {"host": "fake", "content-type": "application/json", **(self.headers or {})}
        lines = [f"{name}: {value}" for name, value in headers.items()]
        head = "\r\n".join(
            [f"{self.method} {self.path} HTTP/1.1", *lines, f"content-length: {len(content)}"]
        )
        return head.encode() + HEAD_END + content


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What came back."""

    reads: tuple[bytes, ...]
    """What each read of the socket returned."""
    ended: Ending

    @property
    def data(self) -> bytes:
        """All that came, head and frame included."""
        return b"".join(self.reads)

    @property
    def head(self) -> bytes:
        """Status line and headers; nothing where they did not come whole."""
        head, whole, _ = self.data.partition(HEAD_END)
        return head if whole else b""

    @property
    def status(self) -> int | None:
        """HTTP status; None: not even a head came."""
        return int(self.head.split()[1]) if self.head else None

    @property
    def chunks(self) -> list[bytes]:
        """The chunks of a chunked body, as far as they came; one that is cut comes last."""
        found, rest = [], self.data.partition(HEAD_END)[2]
        while b"\r\n" in rest:
            size, _, rest = rest.partition(b"\r\n")
            if length := int(size, 16):
                found.append(rest[:length])
            rest = rest[length + 2 :]
        return found

    @property
    def body(self) -> bytes:
        """The body, as far as it came."""
        if b"transfer-encoding: chunked" in self.head.lower():
            return b"".join(self.chunks)
        return self.data.partition(HEAD_END)[2]

    @property
    def events(self) -> list[bytes]:
        """The whole server-sent events of the body."""
        return self.body.split(EVENT_END)[:-1]

    def json(self) -> Any:
        """The body as JSON. Raises ValueError."""
        return json.loads(self.body)


def complete(data: bytes) -> Ending | None:
    """By which account of its own a response is complete, if it is."""
    head, whole, rest = data.partition(HEAD_END)
    if not whole:
        return None
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return "Content-Length" if len(rest) >= int(line.split(b":")[1]) else None
    return "last chunk" if (b"\r\n" + rest).endswith(LAST_CHUNK) else None


def ask(port: int, request: bytes, *, patience_s: float = 10.0) -> Heard:
    """Send a request, and hear it out. `patience_s` is how long nothing may come."""
    reads: list[bytes] = []
    ended: Ending | None = None
    with socket.create_connection(("127.0.0.1", port), timeout=patience_s) as connection:
        connection.sendall(request)
        while ended is None:
            try:
                data = connection.recv(1 << 16)
            except ConnectionResetError:
                ended = "RST"
            except TimeoutError:
                ended = "silence"
            else:
                reads += [data] if data else []
                ended = complete(b"".join(reads)) if data else "FIN"
    return Heard(reads=tuple(reads), ended=ended)
