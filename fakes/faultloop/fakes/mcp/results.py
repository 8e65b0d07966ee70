"""Tools and what they said, in MCP's words: the entries of `tools/list`, the result of a call.

An output is one block of text, as a model reads it; bytes are a resource with a blob. A failure of
the tool is a result that says `isError`, with code and `retryable` as structured content. A tool
that is not there is an error of the protocol. So are arguments that do not fit up to 2025-06-18;
since 2025-11-25 they are a result, because a model can mend them (SEP-1303).
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from faultloop.fakes.mcp.wire import HANDSHAKE_VERSIONS, INVALID_PARAMS, Refusal
from faultloop.fakes.tooling.told import BINARY_TYPE, Binary, Done, Failed, Lost, Page, Told
from faultloop.fakes.world.tool import WorldTool

ARGUMENTS_ARE_AN_ERROR = frozenset(HANDSHAKE_VERSIONS[: HANDSHAKE_VERSIONS.index("2025-11-25")])
"""Versions in which arguments that do not fit are an error of the protocol."""


def entry(tool: WorldTool) -> dict[str, Any]:
    """A tool as `tools/list` gives it: MCP's own hints as annotations, all others in `_meta`."""
    hints = tool.annotations
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.parameters,
        "annotations": {key: hint for key, hint in hints.items() if "/" not in key},
        "_meta": {key: hint for key, hint in hints.items() if "/" in key},
    }


def result(told: Told, *, version: str) -> dict[str, Any]:
    """What a call is answered. Raises Refusal where that is an error of the protocol.

    A page and a lost answer have no form here: they are a gateway's and a connection's business.
    """
    match told:
        case Done(data=data, truncated=truncated, continuation=continuation):
            said: dict[str, Any] = {"content": [_text(data)], "isError": False}
            if truncated:
                said["_meta"] = {
                    "faultloop/truncated": True,
                    "faultloop/continuation": continuation,
                }
                said["content"].append(_text(_cut(continuation)))
            return said
        case Binary(data=data):
            blob = b64encode(data).decode()
            resource = {"uri": "faultloop://output", "mimeType": BINARY_TYPE, "blob": blob}
            return {"content": [{"type": "resource", "resource": resource}], "isError": False}
        case Failed(code=code, message=message, retryable=retryable):
            facts = {"code": code, "message": message, "retryable": retryable}
            if code == "UNKNOWN_TOOL" or (
                code == "INVALID_ARGS" and version in ARGUMENTS_ARE_AN_ERROR
            ):
                raise Refusal(INVALID_PARAMS, f"{code}: {message}", data=facts)
            return {
                "content": [_text(f"{code}: {message}")],
                "structuredContent": facts,
                "isError": True,
            }
        case Page() | Lost():
            raise ValueError(f"{told} is no message of MCP")


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _cut(continuation: str | None) -> str:
    return f"[cut here; call again with the same arguments and cursor {continuation!r} to read on]"
