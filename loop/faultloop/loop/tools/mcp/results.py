"""From a server's answers, and from what comes in their place, to uniform results (SPEC C4, P8).

    an answer                              ok, or failed where it says `isError`
    an error before the tool (INVALID_PARAMS, METHOD_NOT_FOUND, INVALID_REQUEST)
                                           failed: nothing was run, if the server can be believed
    silence, a lost connection, an internal error, an answer that cannot be read
                                           unknown, unless the tool only reads (SPEC D4)

The class is declared by where the failure came from, never guessed from its text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import mcp_types as types
import msgspec

from faultloop.loop.contract import Contract
from faultloop.loop.output import head
from faultloop.loop.tools.port import ToolResult
from faultloop.loop.tools.uncertain import uncertain

BEFORE_THE_TOOL: Mapping[int, str] = MappingProxyType(
    {
        types.INVALID_PARAMS: "INVALID_ARGS",
        types.METHOD_NOT_FOUND: "UNKNOWN_TOOL",
        types.INVALID_REQUEST: "REFUSED",
    }
)
"""JSON-RPC error that is given before a tool runs, to our code."""

REASON_BYTES = 300


def of_answer(answer: types.CallToolResult) -> ToolResult:
    """The result that an answer stands for."""
    content = _content(answer.content, answer.structured_content)
    if answer.is_error:
        return ToolResult(outcome="failed", code="TOOL_FAILED", content=content or "It failed.")
    meta: Mapping[str, Any] = answer.meta or {}
    continuation = meta.get("faultloop/continuation")
    return ToolResult(
        outcome="ok",
        content=content or "(no content)",
        truncated=meta.get("faultloop/truncated") is True,
        continuation=continuation if isinstance(continuation, str) else "",
    )


def of_error(contract: Contract, code: int, message: str, *, trusted: bool) -> ToolResult:
    """The result that a JSON-RPC error stands for.

    That nothing was run is the server's word. Of one that is not `trusted` it is only taken where
    the host vouches that nothing could have been changed (SPEC D4).
    """
    reason = head(" ".join(message.split()), REASON_BYTES)
    if code in BEFORE_THE_TOOL and (trusted or contract.read_only):
        return ToolResult(
            outcome="failed",
            code=BEFORE_THE_TOOL[code],
            content=f"{contract.name} was refused by its server: {reason}. Nothing was run.",
        )
    if code == types.REQUEST_TIMEOUT:
        return silent(contract, None)
    if code == types.CONNECTION_CLOSED:
        why = "the connection to its server ended before it answered"
        return uncertain(contract, why, code="CONNECTION_LOST")
    why = f"its server answered with the error {code} ({reason})"
    return uncertain(contract, why, code="SERVER_ERROR")


def silent(contract: Contract, timeout_s: float | None) -> ToolResult:
    """The result of a call that was not answered in time."""
    bound = "" if timeout_s is None else f" ({timeout_s:g} s)"
    why = f"its server gave no answer in the time it had{bound}"
    return uncertain(contract, why, code="TIMEOUT")


def unreadable(contract: Contract, error: Exception) -> ToolResult:
    """The result of a call whose answer is not what the protocol or the tool promises."""
    reason = head(" ".join(f"{type(error).__name__}: {error}".split()), REASON_BYTES)
    why = f"the answer of its server cannot be read ({reason})"
    return uncertain(contract, why, code="BAD_ANSWER")


def gone(contract: Contract, server: str, why: str) -> ToolResult:
    """The result of a call to a server that was known to be gone before it was sent."""
    return ToolResult(
        outcome="failed",
        code="SERVER_GONE",
        content=f"{contract.name} cannot be called: the MCP server {server} is gone ({why})."
        " Nothing was run. Go on without its tools, or tell the user.",
    )


def _content(blocks: Sequence[types.ContentBlock], structured: Any) -> str:
    """What a model reads: texts as they are, other blocks by what they are."""
    told = [_block(block) for block in blocks]
    if not told and structured is not None:
        return msgspec.json.encode(structured).decode()
    return "\n".join(told)


def _block(block: types.ContentBlock) -> str:
    match block:
        case types.TextContent():
            return block.text
        case types.ResourceLink():
            return f"[resource {block.uri}: {block.name}]"
        case types.EmbeddedResource():
            resource = block.resource
            if isinstance(resource, types.TextResourceContents):
                return f"[resource {resource.uri}]\n{resource.text}"
            return f"[resource {resource.uri}: binary, not shown]"
        case _:
            return f"[{block.type} {block.mime_type}: not shown]"
