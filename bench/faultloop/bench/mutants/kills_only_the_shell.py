"""A loop that stops a command by killing the shell that runs it; its children live on."""

import asyncio
from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.tools.command import CommandTool
from faultloop.loop.tools.port import Tool, ToolContext, ToolResult


class Beheading(CommandTool):
    """Knows one process id."""

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """As `subprocess` with a shell is often used: the shell is the child, the command its."""
        command = await asyncio.create_subprocess_exec(
            "/bin/sh",
            "-c",
            f"{args['command']}; exit $?",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            code = await command.wait()
        except asyncio.CancelledError:
            command.kill()
            await command.wait()
            raise
        return ToolResult(outcome="ok", content=f"exit code {code}")


def beheaded(tool: Tool) -> Tool:
    """The same tool, but only its shell is ever stopped."""
    return Beheading(tool.contract) if isinstance(tool, CommandTool) else tool


MUTANT = Mutant(
    name="kills-only-the-shell",
    does="stops the shell of its own command, and not the command",
    claims=("C6", "X5"),
    breaks=("nothing_after_cancel",),
    tier="real",
    scenarios=("cancel-own-command",),
    tool=beheaded,
)
