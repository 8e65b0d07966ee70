"""What an invocation is told, before a transport spells it; here also how HTTP does.

Five ways to end: done, failed, a gateway's page in place of an answer, bytes that are no text, and
no answer at all. `fakes.mcp.results` spells the same values for MCP.

The body of contract v1 is JSON. A lone surrogate has no bytes of its own, so only its JSON escape
can stand for it.
"""

from __future__ import annotations

import json
from typing import Any, Literal, NamedTuple, assert_never

import msgspec

from faultloop.fakes.gateway import PAGE_TYPE, gateway_page

Outcome = Literal["ok", "failed", "unknown"]
"""What the subject may conclude."""

JSON_TYPE = "application/json"
BINARY_TYPE = "application/octet-stream"


class Done(msgspec.Struct, frozen=True):
    """The tool did it."""

    data: str
    truncated: bool = False
    continuation: str | None = None
    """What to give as `cursor` to read on."""


class Failed(msgspec.Struct, frozen=True):
    """The tool did not do it, and nothing has changed."""

    status: int
    """404, 422 or 500, as contract v1 has them."""
    code: str
    message: str
    retryable: bool = False


class Page(msgspec.Struct, frozen=True):
    """A gateway answers in the tool's place, and says nothing of the work behind it."""

    status: int


class Binary(msgspec.Struct, frozen=True):
    """The tool did it, and its output is no text."""

    data: bytes


class Lost(msgspec.Struct, frozen=True):
    """The connection breaks in place of an answer."""


Told = Done | Failed | Page | Binary | Lost


class Spelt(NamedTuple):
    """An HTTP answer."""

    status: int
    """0: the connection breaks."""
    content_type: str
    body: bytes


def outcome_of(told: Told) -> Outcome:
    """What a subject may conclude from it."""
    match told:
        case Done() | Binary():
            return "ok"
        case Failed():
            return "failed"
        case Page() | Lost():
            return "unknown"
        case _:
            assert_never(told)


def as_http(told: Told, *, copies: int = 1) -> Spelt:
    """The answer of contract v1; `copies` of it arrive, one a line."""
    match told:
        case Done():
            body = {"ok": True} | msgspec.structs.asdict(told)
            return Spelt(200, JSON_TYPE, _copied(encoded(body), copies))
        case Failed():
            said = {"code": told.code, "message": told.message, "retryable": told.retryable}
            return Spelt(told.status, JSON_TYPE, _copied(encoded({"ok": False} | said), copies))
        case Page():
            return Spelt(told.status, PAGE_TYPE, gateway_page(told.status).encode())
        case Binary():
            return Spelt(200, BINARY_TYPE, told.data)
        case Lost():
            return Spelt(0, "", b"")
        case _:
            assert_never(told)


def _copied(body: bytes, copies: int) -> bytes:
    return b"\n".join([body] * copies)


def encoded(body: dict[str, Any]) -> bytes:
    """JSON, whatever text is in it."""
    try:
        return _encode(body)
    except UnicodeEncodeError:  # a lone surrogate can only be escaped
        return json.dumps(body, separators=(",", ":")).encode()


_encode = msgspec.json.Encoder().encode
