"""A process of its own that plays one turn of a session, as told by lines on its input.

    python player.py KIND PATH TTL_S [CLOCK]

It says `ready`, and on the line `prompt` prompts an agent whose model calls `wait` (which says
`waiting`, and is over with the line `go`), then `act` (which leaves a line in PATH.effects). All
that it says is JSON, a line each. CLOCK is the one time that its clock shows.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.sqlite import SqliteJournal
from faultloop.loop.lease.file import FileLease
from faultloop.loop.lease.port import LeaseHeld
from faultloop.loop.message import AssistantMessage
from faultloop.loop.providers.port import CallDelta, EndDelta, FinishDelta, TextDelta
from faultloop.loop.tools.port import ToolResult

KINDS = {"jsonl": JsonlJournal, "sqlite": SqliteJournal}


def say(**what: Any) -> None:
    """One line of output."""
    print(json.dumps(what), flush=True)


class Model:
    """Calls `wait`, then `act`, then is content; what a crash cut off is not called again."""

    async def stream(self, request: Any) -> Any:
        """Its next reply."""
        called = [m for m in request.messages if isinstance(m, AssistantMessage) and m.calls]
        if len(called) < 2:
            name = ("wait", "act")[len(called)]
            yield CallDelta(0, id=f"c{len(called)}", name=name, arguments="{}")
            yield FinishDelta("tool_calls", "tool_calls")
        else:
            yield TextDelta("done")
            yield FinishDelta("stop", "stop")
        yield EndDelta()


class Tool:
    """A tool of no arguments."""

    def __init__(self, name: str, work: Any) -> None:
        parameters = {"type": "object", "properties": {}}
        self.contract = Contract(name=name, purpose="a toy", parameters=parameters)
        self.work = work

    async def run(self, args: Any, context: Any) -> ToolResult:
        """Do it."""
        await self.work()
        return ToolResult(outcome="ok", content="done")


async def main(kind: str, path: str, ttl_s: str, clock: str = "") -> None:
    """One turn."""
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin
    )

    async def wait() -> None:
        say(said="waiting")
        await lines.readline()

    async def act() -> None:
        with Path(f"{path}.effects").open("a") as effects:
            effects.write("act\n")

    journal = KINDS[kind](path)
    lease = FileLease(
        journal, ttl_s=float(ttl_s), clock=(lambda: float(clock)) if clock else time.time
    )
    agent = Agent(
        provider=Model(),
        tools=[Tool("wait", wait), Tool("act", act)],
        journal=journal,
        session="session",
        lease=lease,
    )
    say(said="ready")
    await lines.readline()
    try:
        recovered = await agent.open()
        end = await agent.prompt("go")
        say(said="end", end_reason=end.end_reason, error=end.error, recovered=recovered)
    except LeaseHeld as held:
        say(said="held", message=str(held), pid=held.holder.pid if held.holder else 0)
    await agent.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
