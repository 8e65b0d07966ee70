"""A loop whose tools are called without an idempotency key."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.contract import Contract
from faultloop.loop.tools.port import Tool, ToolContext, ToolResult


class Keyless:
    """A tool that nobody can recognise a second call of."""

    def __init__(self, tool: Tool) -> None:
        self._tool = tool

    @property
    def contract(self) -> Contract:
        """The tool's own."""
        return self._tool.contract

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """The call, without its key."""
        return await self._tool.run(args, replace(context, key=""))


MUTANT = Mutant(
    name="sends-no-keys",
    does="calls tools that honour idempotency keys without one",
    claims=("D3",),
    breaks=("end_acceptable",),
    tool=Keyless,
    scenarios=("*-keys-honoured",),
)
