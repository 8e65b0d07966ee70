"""MCP servers beside the provider: proxied, and their tools become canned ones."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from faultloop.bench.recording.command import _urls
from faultloop.bench.recording.mcp import BadServer, named
from faultloop.fakes.asgi import Receive, Scope, Send
from faultloop.fakes.connection import Connection
from faultloop.fakes.hosting import BaseUrls
from faultloop.scenarios.reading import loads

from .leaks import said
from .studio import OUT, app_served, recorded, written

ASKED = {"model": "m", "messages": [{"role": "user", "content": "Go."}]}
LOOK_UP = {
    "name": "look_up",
    "description": "Finds jane@example.org.",
    "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}}},
}


async def both(scope: Scope, receive: Receive, send: Send) -> None:
    """A provider, and an MCP server at /mcp that lists in JSON and answers calls in a stream."""
    connection = Connection(scope, receive, send)
    asked: Any = json.loads(await connection.body() or b"null")
    json_ = (("content-type", "application/json"), ("mcp-session-id", "s-1"))
    if scope["path"] != "/mcp":
        await connection.whole(200, json_, said("Hello."))
        return
    assert connection.query == "v=1"
    if asked["method"] == "tools/list":
        reply = {"jsonrpc": "2.0", "id": asked["id"], "result": {"tools": [LOOK_UP]}}
        await connection.whole(200, json_, json.dumps(reply).encode())
        return
    content = [{"type": "text", "text": f"meaning of {asked['params']['arguments']['word']}"}]
    reply = {"jsonrpc": "2.0", "id": asked["id"], "result": {"content": content}}
    await connection.head(200, (("content-type", "text/event-stream"),))
    await connection.piece(b'data: {"jsonrpc": "2.0", "method": "notifications/progress"}\n\n')
    await connection.piece(b"data: " + json.dumps(reply).encode() + b"\n\n", more=False)


def test_listed_tools_and_their_answers_are_kept_by_call() -> None:
    sessions = []

    def act(urls: BaseUrls) -> None:
        url = f"{urls.anthropic}/mcp/docs?v=1"
        httpx.post(f"{urls.openai}/chat/completions", json=ASKED, timeout=60)
        for number, (method, params) in enumerate(
            [
                ("tools/list", {}),
                ("tools/call", {"name": "look_up", "arguments": {"word": "fault"}}),
                ("tools/call", {"name": "look_up", "arguments": {"word": "loop"}}),
            ]
        ):
            call = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            got = httpx.post(url, json=call, headers={"authorization": "Bearer m-1"}, timeout=60)
            sessions.append(got.headers.get("mcp-session-id"))
            assert got.status_code == 200

    with app_served(both) as url:
        seen = recorded(url, act, docs=f"{url}/mcp")
    assert sessions == ["s-1", None, None]
    scenario = loads(written(seen), OUT)
    assert [line.say for line in scenario.script] == ["Hello."]
    assert scenario.recording.asides == ()
    assert scenario.world.canned is not None
    tool = scenario.world.canned["look_up"]
    assert tool.description == "Finds <redacted:email:1>."
    assert tool.parameters == LOOK_UP["inputSchema"]
    assert [(one.args["word"], one.answer) for one in tool.answers] == [
        ("fault", "meaning of fault"),
        ("loop", "meaning of loop"),
    ]


def test_the_command_finds_a_server_in_its_environment() -> None:
    assert _urls("http://h", ["docs"]) == {
        "OPENAI_BASE_URL": "http://h/v1",
        "ANTHROPIC_BASE_URL": "http://h",
        "GOOGLE_GEMINI_BASE_URL": "http://h",
        "FAULTLOOP_MCP_DOCS_URL": "http://h/mcp/docs",
    }


def test_a_server_has_a_name_and_a_url() -> None:
    assert named("docs=http://h/mcp?a=b") == ("docs", "http://h/mcp?a=b")
    for wrong in ("http://h/mcp", "docs", "docs=", "=http://h", "a b=http://h"):
        with pytest.raises(BadServer, match="--mcp docs=http"):
            named(wrong)
