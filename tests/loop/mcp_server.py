"""A real MCP server for the tests, written with the official SDK. Run as a program.

python mcp_server.py                 over its standard streams
python mcp_server.py PORT            over streamable HTTP on 127.0.0.1:PORT
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import (
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)

server = MCPServer("shed")

READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


@server.tool(annotations=READS, meta={"faultloop/concurrencySafe": True, "other/key": 1})
def look(path: str) -> str:
    """Look at a thing."""
    return f"saw {path}"


@server.tool(meta={"faultloop/risk": "low", "faultloop/verifyWith": "look"})
def add(left: int, right: int = 1) -> dict[str, int]:
    """Add two numbers."""
    return {"sum": left + right}


@server.tool(name="put.away/" + "x" * 60)
def put_away() -> str:
    """Put a thing away."""
    return "put away"


@server.tool()
def fail() -> str:
    """Fail."""
    raise ToolError("the shed is locked")


@server.tool(structured_output=False)
def show() -> Any:
    """Show all kinds of content."""
    return CallToolResult(
        content=[
            TextContent(text="a text"),
            ImageContent(data="AAAA", mime_type="image/png"),
            ResourceLink(uri="shed://rake", name="rake"),
            EmbeddedResource(resource=TextResourceContents(uri="shed://hoe", text="a hoe")),
            EmbeddedResource(resource=BlobResourceContents(uri="shed://saw", blob="AAAA")),
        ],
        _meta={"faultloop/truncated": True, "faultloop/continuation": "show(page=2)"},
    )


@server.tool()
async def wait(ctx: Context, flag: str) -> str:
    """Wait for ever; say into a file what became of it."""
    try:
        await ctx.report_progress(1, 3)
        await ctx.report_progress(2, 3, "half of it")
        Path(flag).write_text("begun")
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        Path(flag).write_text("cancelled")
        raise
    return "never"


@server.tool()
def die() -> str:
    """End the whole server in the middle of a call."""
    os._exit(3)


@server.tool()
async def grow(ctx: Context) -> str:
    """Learn another tool, and say so."""

    def later() -> str:
        """A tool that was not there before."""
        return "late"

    server.add_tool(later)
    await ctx.notify_tools_changed()
    return "grown"


@server.tool()
def about(ctx: Context) -> str:
    """Tell what came beside the arguments."""
    meta: Any = ctx.request_context.meta
    return f"{meta['faultloop/callId']} {meta['faultloop/idempotencyKey']}"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run("stdio")
