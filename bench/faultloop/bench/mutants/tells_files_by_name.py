"""Tools that take two names for two files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.contract import Contract
from faultloop.loop.tools.port import Tool, ToolContext, ToolResult


def by_name(args: dict[str, Any]) -> str:
    """What the arguments say."""
    return repr(sorted(args.items()))


class Nominal:
    """A tool whose resource is what it is called."""

    def __init__(self, tool: Tool) -> None:
        self._tool = tool

    @property
    def contract(self) -> Contract:
        """The declaration, with another idea of its resource."""
        declared = self._tool.contract
        return replace(declared, resource=by_name) if declared.resource else declared

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Run it."""
        return await self._tool.run(args, context)


MUTANT = Mutant(
    name="tells-files-by-name",
    does="changes one file twice at the same time, where it has two names",
    claims=("S5",),
    drills=("changes-queue-up",),
    tool=Nominal,
)
