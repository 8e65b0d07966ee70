"""How the MCP endpoint answers over HTTP: one message as JSON, or events as they come."""

from __future__ import annotations

from typing import Any

from faultloop.fakes.asgi import Headers
from faultloop.fakes.connection import Connection
from faultloop.fakes.mcp import wire
from faultloop.fakes.mcp.asking import Asked
from faultloop.fakes.mcp.wire import SERVER_KEY, STATUS_OF_ERROR, Id, Refusal

SERVER = {"name": "faultloop-world", "version": "1"}

_JSON: Headers = (("content-type", "application/json"),)
_EVENTS: Headers = (("content-type", "text/event-stream"), ("cache-control", "no-cache"))


def complete(asked: Asked, content: dict[str, Any]) -> dict[str, Any]:
    """A result as the era has it: where there is no handshake each one says whose it is."""
    if not asked.has_envelope:
        return content
    meta = {**content.get("_meta", {}), SERVER_KEY: SERVER}
    return {"resultType": "complete", **content, "_meta": meta}


async def reply(message: bytes, connection: Connection, headers: Headers = ()) -> None:
    """One message, as JSON."""
    await connection.whole(200, (*_JSON, *headers), message)


async def events(connection: Connection) -> None:
    """Begin to send events."""
    await connection.head(200, _EVENTS)


async def accepted(connection: Connection) -> None:
    """A message that gets no reply."""
    await connection.whole(202, (), b"")


async def refuse(
    refusal: Refusal, request: Id | None, connection: Connection, *, has_envelope: bool
) -> None:
    """An error of the protocol, with the HTTP status that the era gives it."""
    status = refusal.status
    if status is None:
        status = STATUS_OF_ERROR.get(refusal.code, 200) if has_envelope else 200
    await connection.whole(status, _JSON, wire.error(request, refusal))
