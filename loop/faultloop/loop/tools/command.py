"""The tool that runs a command line, and really stops it when told to (SPEC C6, X5). POSIX only.

The command runs in a task of its own that nobody cancels; cancelling the call sets a flag that this
task heeds, and the call stays until every process of the command is gone. Only then is the
cancellation let through: a loop that has closed the call can rely on the world being quiet. The
same holds for a command that ends by itself: what it left in the background is stopped, and the
result says so.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from faultloop.loop.contract import Contract
from faultloop.loop.tools.port import ToolContext, ToolResult
from faultloop.loop.tools.process_tree import ProcessTree
from faultloop.loop.tools.uncertain import advice

SHELL = ("/bin/sh", "-c")

RUN_COMMAND = Contract(
    name="run_command",
    purpose="Run one command line in a POSIX shell and wait until it ends.",
    when="you need to build, test, search or change something that no other tool does.",
    when_not="another tool does the job, or the command would wait for input: it gets none.",
    paths="relative to the working directory of the project.",
    returns="output and errors together, then the exit code. Of long output the middle is left out,"
    " and the result says so; redirect it to a file to read it in parts.",
    example={"command": "ls -l src"},
    mistake="starting a server with & and leaving it: what still runs at the end is stopped.",
    parameters={
        "type": "object",
        "properties": {
            "command": {"type": "string", "minLength": 1, "description": "The command line."}
        },
        "required": ["command"],
        "additionalProperties": False,
    },
    cancellable=True,
    risk="high",
)

TRAILER_BYTES = 512
"""Kept free of the output budget for the lines that say how it ended."""

DRAIN_S = 1.0
"""How long the last output may take once all processes are gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command came to its end."""

    how: Literal["exited", "stopped", "timeout"]
    exit_code: int
    """Negative: the number of the signal that ended it."""
    left_behind: int
    """Processes that were still running when the command itself had ended."""
    survivors: tuple[int, ...]
    """Pids that could not be stopped."""
    output: str


class CommandTool:
    """Runs command lines here, in the working directory and environment it was given."""

    def __init__(
        self,
        contract: Contract = RUN_COMMAND,
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        grace_s: float = 2.0,
        timeout_s: float | None = None,
    ) -> None:
        """`contract`: must take a string called `command`. `env`: None passes ours on.

        `grace_s`: between SIGTERM and SIGKILL. `timeout_s`: None leaves that to the engine.
        """
        self.contract = contract
        self._cwd = cwd
        self._env = env
        self._grace_s = grace_s
        self._timeout_s = timeout_s

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Run `args["command"]`. When cancelled, returns or raises only once all is quiet."""
        stop = asyncio.Event()
        work = asyncio.create_task(self._carry_out(args["command"], stop))
        cancelled: asyncio.CancelledError | None = None
        while not work.done():
            try:
                await asyncio.shield(work)
            except asyncio.CancelledError as error:
                if work.cancelled():  # not us but everything is being cancelled
                    raise
                cancelled = error
                stop.set()
        ended = work.result()
        if cancelled is not None and not ended.survivors:
            raise cancelled
        return self._result(ended)

    async def _carry_out(self, command: str, stop: asyncio.Event) -> Ended:
        tree = await ProcessTree.start(
            (*SHELL, command),
            cwd=self._cwd,
            env=self._env,
            output_bytes=max(0, self.contract.output_budget_bytes - TRAILER_BYTES),
        )
        try:
            how = await self._first_of(tree, stop)
            left_behind = len(tree.members()) if how == "exited" else 0
            survivors = await tree.stop(grace_s=self._grace_s)
            await tree.drained(DRAIN_S)
        except BaseException:
            tree.signal(signal.SIGKILL)  # no time is left to be polite
            raise
        exit_code = tree.leader.returncode
        return Ended(
            how=how,
            exit_code=exit_code if exit_code is not None else -signal.SIGKILL,
            left_behind=left_behind,
            survivors=survivors,
            output=tree.output.text(),
        )

    async def _first_of(
        self, tree: ProcessTree, stop: asyncio.Event
    ) -> Literal["exited", "stopped", "timeout"]:
        exited = asyncio.create_task(tree.leader.wait())
        stopped = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait(
                {exited, stopped}, timeout=self._timeout_s, return_when="FIRST_COMPLETED"
            )
            if exited.done():
                return "exited"
            return "stopped" if stopped.done() else "timeout"
        finally:
            exited.cancel()
            stopped.cancel()

    def _result(self, ended: Ended) -> ToolResult:
        lines = [ended.output.rstrip("\n")] if ended.output else []
        lines.append(self._sentence(ended))
        content = "\n".join(lines)
        if ended.survivors:
            return ToolResult(outcome="unknown", code="STILL_RUNNING", content=content)
        if ended.how != "exited":
            return ToolResult(outcome="unknown", code="TIMEOUT", content=content)
        if ended.exit_code != 0:
            return ToolResult(outcome="failed", code="NON_ZERO_EXIT", content=content)
        return ToolResult(outcome="ok", content=content)

    def _sentence(self, ended: Ended) -> str:
        if ended.survivors:
            pids = ", ".join(map(str, ended.survivors))
            return f"[still running, it could not be stopped: process {pids}]"
        if ended.how == "timeout":
            return (
                f"[it did not end within {self._timeout_s:g} s and was stopped."
                f" {advice(self.contract)}]"
            )
        sentence = f"exit code {ended.exit_code}"
        if ended.exit_code < 0:
            sentence = f"ended by {_signal_name(-ended.exit_code)}"
        if ended.left_behind:
            sentence += f"; {ended.left_behind} process(es) left in the background were stopped"
        return f"[{sentence}]"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
