"""MCP servers as they were seen: the tools that they listed, and what they answered.

Only streamable HTTP is proxied. An answer is a JSON document or a stream of events; the one with
the request's id is it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from faultloop.bench.recording.replies.events import events
from faultloop.bench.recording.replies.meaning import (
    Json,
    at,
    compact,
    decoded,
    list_at,
    text_at,
)
from faultloop.bench.recording.seen import Exchange, Packed, unpacked

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class BadServer(Exception):
    """What was given is no MCP server. The text is a sentence."""


class Given(NamedTuple):
    """One answer of a tool."""

    args: dict[str, Any]
    text: str


@dataclass(slots=True, kw_only=True)
class Served:
    """One tool of a server."""

    description: str = ""
    parameters: dict[str, Any] = field(default_factory=lambda: {"type": "object"})
    answers: list[Given] = field(default_factory=list)


def named(given: str) -> tuple[str, str]:
    """Name and URL of `NAME=URL`. Raises BadServer."""
    name, _, url = given.partition("=")
    if not _NAME.fullmatch(name) or not url:
        raise BadServer(
            f"--mcp {given!r} names no server; write a word and a URL, as in "
            "--mcp docs=http://127.0.0.1:8000/mcp"
        )
    return name, url


def variable(name: str) -> str:
    """The environment variable that tells the command where a server is."""
    return f"FAULTLOOP_MCP_{name.upper()}_URL"


def mcp_tools(seen: Iterable[Exchange]) -> dict[str, Served]:
    """All tools that were listed or called, by name."""
    tools: dict[str, Served] = {}
    for exchange in seen:
        asked = decoded(exchange.body.decode(errors="replace")) if exchange.mcp else None
        result = _result(exchange, at(asked, "id")) if asked is not None else None
        match text_at(asked, "method"):
            case "tools/list":
                for tool in list_at(result, "tools"):
                    served = tools.setdefault(text_at(tool, "name"), Served())
                    served.description = text_at(tool, "description")
                    schema = at(tool, "inputSchema")
                    served.parameters = schema if isinstance(schema, dict) else served.parameters
            case "tools/call" if result is not None:
                served = tools.setdefault(text_at(asked, "params", "name"), Served())
                args = at(asked, "params", "arguments")
                served.answers.append(Given(args if isinstance(args, dict) else {}, _said(result)))
            case _:
                pass
    return tools


def _result(exchange: Exchange, id_: Json) -> Json:
    if exchange.answered is None:
        return None
    try:
        answered = unpacked(exchange.answered)
    except Packed:
        return None
    text = b"".join(answered.chunks).decode(errors="replace")
    is_stream = "text/event-stream" in answered.header("content-type")
    messages = events(text) if is_stream else [decoded(text)]
    return next((at(one, "result") for one in messages if at(one, "id") == id_), None)


def _said(result: Json) -> str:
    """What a model is told of a result."""
    texts = [text_at(part, "text") for part in list_at(result, "content")]
    structured = at(result, "structuredContent")
    return "\n".join(filter(None, texts)) or ("" if structured is None else compact(structured))
