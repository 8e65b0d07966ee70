"""Raw MCP: what a client writes, in both eras, and what it reads back."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from tests.fakes.carried import Scene

BOTH = {"accept": "application/json, text/event-stream"}
ENVELOPE = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": ENVELOPE,
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t"}}


def request(
    method: str, params: dict[str, Any] | None = None, *, number: object = 1
) -> dict[str, Any]:
    """A JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


def messages(text: str) -> list[dict[str, Any]]:
    """The messages of a body of events."""
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


class Talk:
    """A client of the MCP endpoint that keeps to the rules, unless it is told not to."""

    def __init__(self, scene: Scene) -> None:
        self.client = scene.client
        self.headers: dict[str, str] = dict(BOTH)

    async def post(self, body: object, **headers: str) -> httpx.Response:
        return await self.client.post("mcp", json=body, headers=self.headers | headers)

    @asynccontextmanager
    async def posted(self, body: object) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
        """The messages of an answer that comes as events, one by one."""
        sending = self.client.build_request("POST", "mcp", json=body, headers=self.headers)
        async with self._streamed(sending) as response:
            yield response

    @asynccontextmanager
    async def listened(self) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
        """The messages that belong to no request."""
        sending = self.client.build_request("GET", "mcp", headers=self.headers)
        async with self._streamed(sending) as response:
            yield response

    @asynccontextmanager
    async def _streamed(self, sending: httpx.Request) -> AsyncIterator[Any]:
        response = await self.client.send(sending, stream=True)
        assert response.headers["content-type"] == "text/event-stream"

        async def told() -> AsyncIterator[dict[str, Any]]:
            async for line in response.aiter_lines():
                if line.startswith("data: "):
                    yield json.loads(line[6:])

        try:
            yield told()
        finally:
            await response.aclose()

    async def hello(self, version: str = "2025-11-25") -> dict[str, Any]:
        """The handshake; its session goes with all that follows."""
        response = await self.post(request("initialize", {**HELLO, "protocolVersion": version}))
        result: dict[str, Any] = response.json()["result"]
        self.headers |= {
            "mcp-session-id": response.headers["mcp-session-id"],
            "mcp-protocol-version": result["protocolVersion"],
        }
        begun = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert (await self.post(begun)).status_code == 202
        return result

    async def call(self, tool: str, args: object, **meta: object) -> httpx.Response:
        """One call of a tool, after the handshake."""
        return await self.post(call(tool, args, **meta))

    async def enveloped(
        self, method: str, params: dict[str, Any] | None = None, **headers: str
    ) -> httpx.Response:
        """One request that needs no handshake."""
        said = {"mcp-protocol-version": ENVELOPE, "mcp-method": method}
        if params and "name" in params:
            said["mcp-name"] = params["name"]
        body = request(method, {**(params or {}), "_meta": META})
        return await self.client.post("mcp", json=body, headers=BOTH | said | headers)


def call(tool: str, args: object, *, number: object = 1, **meta: object) -> dict[str, Any]:
    """A `tools/call`; `meta` with `__` for the slash."""
    named = {key.replace("__", "/"): value for key, value in meta.items()}
    return request("tools/call", {"name": tool, "arguments": args, "_meta": named}, number=number)


async def told(talk: Talk, tool: str, args: object, **meta: object) -> dict[str, Any]:
    """The result of a call."""
    result: dict[str, Any] = (await talk.call(tool, args, **meta)).json()["result"]
    return result
