"""Tools from an MCP server, started for the purpose and ended after it has listed them."""

from __future__ import annotations

import asyncio
import shlex

from faultloop.bench.linting.bad_target import BadTarget
from faultloop.loop.contract.lint import Specimen

SERVER = "linted"
"""The name that the server has meanwhile; no finding shows it."""


def read_server(command: str) -> list[Specimen]:
    """Start the server, or go to its URL, and list its tools. Raises BadTarget."""
    try:
        from faultloop.loop.tools.mcp import McpServer, McpUnavailable, Stdio
    except ModuleNotFoundError as error:  # an extra that a user may lack
        raise BadTarget(str(error)) from error
    target: Stdio | str = command
    if "://" not in command:
        words = shlex.split(command)
        if not words:
            raise BadTarget("--mcp needs the command line of a server, or its URL")
        target = Stdio(command=words)

    async def listed() -> tuple[list[Specimen], tuple[str, ...]]:
        async with McpServer(SERVER, target, trusted=True, prefixed=False) as server:
            made = [Specimen(contract=tool.contract, source=command) for tool in server.tools]
            return made, server.refused

    try:
        specimens, refused = asyncio.run(listed())
    except McpUnavailable as error:
        raise BadTarget(f"{command}: {error}") from error
    if refused:
        raise BadTarget(f"{command}: {'; '.join(refused)}")
    return specimens
