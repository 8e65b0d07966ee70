"""Tools of MCP servers: listed, called and kept up to date through the official SDK (SPEC C10).

Needs the extra `mcp` of this package. What a server says of its own tools are hints: those of a
server that the host does not trust can only make the loop more careful, never less (SPEC C2).
"""

from __future__ import annotations

from faultloop.loop.tools.mcp.server import McpServer, McpUnavailable, Stdio
from faultloop.loop.tools.mcp.tool import McpTool

__all__ = ["McpServer", "McpTool", "McpUnavailable", "Stdio"]
