"""Who asks what: a request of the MCP endpoint, told apart by era and held to its rules.

    handshake   `initialize` opens a session, whose id comes back with everything after it
    envelope    `_meta` names version and capabilities, headers repeat version, method and tool

What a real server refuses is refused here in the same words of JSON-RPC and HTTP.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import NamedTuple

from faultloop.fakes.connection import Connection
from faultloop.fakes.mcp.sessions import Client, Sessions
from faultloop.fakes.mcp.wire import (
    CAPABILITIES_KEY,
    ENVELOPE_VERSIONS,
    HANDSHAKE_VERSIONS,
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    UNSUPPORTED_VERSION,
    VERSION_KEY,
    Message,
    Refusal,
)
from faultloop.fakes.stage import Stage

SESSION = "mcp-session-id"
VERSION = "mcp-protocol-version"
PIPE = "x-faultloop-pipe"
"""By which the pipe names itself."""

_ENCODED = re.compile(r"=\?base64\?(.*)\?=")
_LOCAL = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")


class Asked(NamedTuple):
    """A request, and whose it is."""

    stage: Stage
    start: int
    message: Message
    client: Client
    has_envelope: bool

    @property
    def version(self) -> str:
        """The protocol version that it is answered in."""
        return self.client.version


def guard(connection: Connection) -> None:
    """What every request must keep, whatever it says. Raises Refusal."""
    origin = connection.header("origin")
    if origin is not None and not _LOCAL.fullmatch(origin):
        raise Refusal(INVALID_REQUEST, f"the origin {origin!r} is not of this machine", status=403)
    wanted = {"POST": ("application/json", "text/event-stream"), "GET": ("text/event-stream",)}
    accepted = connection.header("accept") or ""
    for kind in wanted.get(connection.method, ()):
        if kind not in accepted and "*/*" not in accepted:
            raise Refusal(INVALID_REQUEST, f"Not Acceptable: accept {kind}", status=406)


def has_envelope(message: Message, headers: Mapping[str, str]) -> bool:
    """Of which era a message is."""
    return message.version is not None or headers.get(VERSION) in ENVELOPE_VERSIONS


def asked(
    stage: Stage, start: int, message: Message, connection: Connection, sessions: Sessions
) -> Asked:
    """Whose message it is. Raises Refusal."""
    headers = connection.headers
    version = headers.get(VERSION)
    if has_envelope(message, headers):
        if message.id is not None:
            _check_envelope(message, headers)
        client = _piped(stage, start, headers, sessions, version or ENVELOPE_VERSIONS[-1])
        return Asked(stage, start, message, client, has_envelope=True)
    if version is not None and version not in HANDSHAKE_VERSIONS:
        known = ", ".join((*HANDSHAKE_VERSIONS, *ENVELOPE_VERSIONS))
        why = f"Unsupported protocol version {version}; supported are {known}"
        raise Refusal(INVALID_REQUEST, why, status=400)
    if message.method == "initialize":
        wanted = message.params.protocol_version
        agreed = wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
        return Asked(stage, start, message, Client(agreed), has_envelope=False)
    return Asked(stage, start, message, of_session(stage, start, headers, sessions), False)


def of_session(stage: Stage, start: int, headers: Mapping[str, str], sessions: Sessions) -> Client:
    """The client of the session that a request names. Raises Refusal."""
    session = headers.get(SESSION)
    if session is None:
        raise Refusal(INVALID_REQUEST, "Bad Request: Missing session ID", status=400)
    client = sessions.find(stage, start, session)
    if client is None:
        raise Refusal(INVALID_REQUEST, "Session not found", status=404)
    return client


def _piped(
    stage: Stage, start: int, headers: Mapping[str, str], sessions: Sessions, version: str
) -> Client:
    pipe = headers.get(PIPE)
    return Client(version) if pipe is None else sessions.pipe(stage, start, pipe, version)


def _check_envelope(message: Message, headers: Mapping[str, str]) -> None:
    """In the order of the specification: envelope, headers, version."""
    missing = [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in message.params.meta]
    if missing:
        why = f"params._meta lacks {', '.join(missing)}"
        raise Refusal(INVALID_PARAMS, why, status=400)
    said = {VERSION: message.version, "mcp-method": message.method}
    if message.method == "tools/call":
        said["mcp-name"] = message.params.name
    for name, value in said.items():
        if _decoded(headers.get(name)) != value:
            raise Refusal(HEADER_MISMATCH, f"the header {name} does not say {value!r}")
    if message.version not in ENVELOPE_VERSIONS:
        data = {"supported": list(ENVELOPE_VERSIONS), "requested": message.version}
        raise Refusal(UNSUPPORTED_VERSION, "Unsupported protocol version", data=data)


def _decoded(header: str | None) -> str | None:
    """A header's value; what is not plain ASCII comes as base64 between marks."""
    match = _ENCODED.fullmatch(header or "")
    if match is None:
        return header
    try:
        return base64.b64decode(match[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
