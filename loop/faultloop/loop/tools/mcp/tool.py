"""One tool of an MCP server: a contract, and a call through the server's connection (SPEC C4)."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

import mcp_types as types
from mcp import MCPError

from faultloop.loop.contract import Contract
from faultloop.loop.tools.mcp import results
from faultloop.loop.tools.port import ToolContext, ToolResult


class Connection(Protocol):
    """What a tool needs of its server."""

    @property
    def name(self) -> str:
        """Under which the host knows the server."""
        ...

    @property
    def gone(self) -> str | None:
        """Why nothing can be sent any more; None while something can."""
        ...

    async def call(
        self, remote: str, args: dict[str, Any], context: ToolContext
    ) -> types.CallToolResult:
        """Send a call and wait for its answer. Raises MCPError and whatever the SDK does."""
        ...


class McpTool:
    """A tool that runs in an MCP server."""

    def __init__(
        self,
        contract: Contract,
        remote: str,
        connection: Connection,
        *,
        timeout_s: float | None,
        trusted: bool = False,
    ) -> None:
        """`remote`: its name at the server. `timeout_s`: None leaves that to the engine.

        `trusted`: whether the server is believed that a call which it refuses was not run.
        """
        self.contract = contract
        self.remote = remote
        self._connection = connection
        self._timeout_s = timeout_s
        self._trusted = trusted

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Call it once. Raises nothing but CancelledError; the server is told of a cancel."""
        contract, connection = self.contract, self._connection
        if connection.gone is not None:
            return results.gone(contract, connection.name, connection.gone)
        try:
            async with asyncio.timeout(self._timeout_s):
                answer = await connection.call(self.remote, args, context)
        except TimeoutError:
            return results.silent(contract, self._timeout_s)
        except MCPError as error:
            return results.of_error(contract, error.code, error.message, trusted=self._trusted)
        except Exception as error:  # the SDK's own checks of an answer raise what they like
            return results.unreadable(contract, error)
        return results.of_answer(answer)
