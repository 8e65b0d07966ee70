"""A loop in which any tool may end the work, whatever its contract says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.contract import Contract
from faultloop.loop.tools.port import Tool, ToolContext, ToolResult


class Concluding:
    """A tool that may conclude."""

    def __init__(self, tool: Tool) -> None:
        self._tool = tool

    @property
    def contract(self) -> Contract:
        """The declaration, with a permission that nobody gave."""
        return replace(self._tool.contract, concludes=True)

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Run it."""
        return await self._tool.run(args, context)


MUTANT = Mutant(
    name="lets-every-tool-conclude",
    does="lets tools conclude whose contracts do not allow it",
    claims=("L8",),
    drills=("results-conclude",),
    tool=Concluding,
)
