"""JSON-RPC as MCP writes it: messages in, messages out, and the refusals in between.

Written by hand on the bytes, because a server's library would hide what is injected here. Two eras
are spoken: with a handshake and sessions (up to 2025-11-25), and with an envelope in each request
and neither (from 2026-07-28 on). Sources: modelcontextprotocol.io/specification, `basic` and
`basic/transports` of 2025-06-18, 2025-11-25 and 2026-07-28.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from faultloop.fakes.tooling.told import encoded

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions that begin with `initialize`, oldest first."""

ENVELOPE_VERSIONS = ("2026-07-28",)
"""Versions in which every request says for itself what it is."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

STATUS_OF_ERROR = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    UNSUPPORTED_VERSION: 400,
    METHOD_NOT_FOUND: 404,
}
"""HTTP status of a JSON-RPC error where requests have envelopes; before that it was always 200."""

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"

Id = int | str


class Refusal(Exception):
    """A request is refused before anything is done: the client is at fault."""

    def __init__(
        self,
        code: int,
        message: str,
        *,
        data: object = None,
        status: int | None = None,
        request: Id | None = None,
    ) -> None:
        """`status`: the HTTP status, where it is not what the era gives to such an error.
        `request`: its id, where no message could be made of it."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.status = status
        self.request = request


class Params(msgspec.Struct, frozen=True, rename="camel"):
    """The parameters that this server reads, of any method."""

    name: str | None = None
    arguments: msgspec.Raw = msgspec.Raw(b"{}")
    """As the client wrote them."""
    meta: dict[str, Any] = msgspec.field(default_factory=dict, name="_meta")
    request_id: Id | None = None
    protocol_version: str | None = None
    notifications: dict[str, Any] = msgspec.field(default_factory=dict)


class _Named(msgspec.Struct, frozen=True):
    id: Id | None = None


class Message(msgspec.Struct, frozen=True):
    """A request, a notification (no id), or a reply to something of ours (no method)."""

    jsonrpc: Literal["2.0"]
    method: str | None = None
    id: Id | None = None
    params: Params = msgspec.field(default_factory=Params)

    @property
    def version(self) -> str | None:
        """The protocol version that its envelope names."""
        version = self.params.meta.get(VERSION_KEY)
        return version if isinstance(version, str) else None


def read(body: bytes) -> Message:
    """One message. Raises Refusal."""
    try:
        return _decode(body)
    except msgspec.ValidationError as error:
        why = f"the body is no JSON-RPC message of MCP: {error}"
        raise Refusal(INVALID_REQUEST, why, status=400, request=_id_of(body)) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refusal(PARSE_ERROR, f"the body is no JSON: {error}", status=400) from error


def _id_of(body: bytes) -> Id | None:
    """The id of what is otherwise no message, so that whoever waits for an answer gets one."""
    try:
        return _decode_id(body).id
    except msgspec.ValidationError:
        return None


def result(request: Id, content: dict[str, Any]) -> bytes:
    """The reply to a request."""
    return encoded({"jsonrpc": "2.0", "id": request, "result": content})


def error(request: Id | None, refusal: Refusal) -> bytes:
    """The reply to a request that is refused."""
    said: dict[str, Any] = {"code": refusal.code, "message": refusal.message}
    if refusal.data is not None:
        said["data"] = refusal.data
    return encoded({"jsonrpc": "2.0", "id": request, "error": said})


def notification(method: str, params: dict[str, Any]) -> bytes:
    """Something that the server says by itself."""
    return encoded({"jsonrpc": "2.0", "method": method, "params": params})


def event(message: bytes) -> bytes:
    """A message as a server-sent event."""
    return b"event: message\ndata: " + message + b"\n\n"


_decode = msgspec.json.Decoder(Message).decode
_decode_id = msgspec.json.Decoder(_Named).decode
