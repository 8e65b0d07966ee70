"""What the proxy saw: exchanges as they were, in memory only. `composing` makes a script of them.

Secrets of requests are noted here and nowhere else; only what was redacted leaves.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

from faultloop.fakes.asgi import Headers


@dataclass(slots=True, kw_only=True)
class Answered:
    """One answer of the upstream as it came."""

    status: int
    headers: Headers
    chunks: list[bytes] = field(default_factory=list)
    after_ms: list[int] = field(default_factory=list)
    """For each piece, milliseconds since the one before it, or since the request."""
    broken: bool = True
    """Its end was not seen: the upstream broke off, or the command let go of it."""
    let_go: bool = False
    """It was the command: SDKs do so as soon as they have what they want."""

    def header(self, name: str) -> str:
        """A header's value; `name` in lower case."""
        return next((value for key, value in self.headers if key == name), "")


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One request and what was answered."""

    method: str
    path: str
    query: str
    headers: Headers
    body: bytes
    mcp: str = ""
    """The MCP server that it was for; empty: it was for the provider."""
    answered: Answered | None = None
    """None: the upstream was not reached, or did not answer."""


class Packed(Exception):
    """A body is compressed in a way that nothing here can undo."""


def unpacked(answered: Answered) -> Answered:
    """The answer without the compression that an upstream applied unasked. Raises Packed."""
    encoding = answered.header("content-encoding").lower()
    if encoding in ("", "identity"):
        return answered
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise Packed(encoding)
    packer = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        chunks = [packer.decompress(chunk) for chunk in answered.chunks]
        chunks.append(packer.flush())
    except zlib.error:
        raise Packed(encoding) from None
    return Answered(
        status=answered.status,
        headers=tuple(pair for pair in answered.headers if pair[0] != "content-encoding"),
        chunks=chunks,
        after_ms=[*answered.after_ms, 0],
        broken=answered.broken,
        let_go=answered.let_go,
    )
