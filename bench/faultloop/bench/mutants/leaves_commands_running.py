"""A loop that lets go of a command of its own when it is cancelled, and does not stop it."""

import asyncio
import subprocess
from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.tools.command import CommandTool
from faultloop.loop.tools.port import Tool, ToolContext, ToolResult

LOOK_S = 0.02
"""How often it looks whether the command is over."""


class Deserting(CommandTool):
    """Runs a command that nobody will stop."""

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Watch it for as long as anybody wants to know."""
        command = subprocess.Popen(
            ("/bin/sh", "-c", args["command"]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while command.poll() is None:
            await asyncio.sleep(LOOK_S)
        return ToolResult(outcome="ok", content=f"exit code {command.returncode}")


def deserted(tool: Tool) -> Tool:
    """The same tool, but a command is left alone."""
    return Deserting(tool.contract) if isinstance(tool, CommandTool) else tool


MUTANT = Mutant(
    name="leaves-commands-running",
    does="lets a command of its own run on after a cancel",
    claims=("C6", "X5"),
    breaks=("nothing_after_cancel",),
    tier="real",
    scenarios=("cancel-own-command",),
    tool=deserted,
)
