"""The reference loop through subject contract v1: nothing here that a stranger could not do."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import faultloop_driver as bench
import httpx

from faultloop.loop.client import BareClient
from faultloop.loop.engine import Agent, Busy
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.sqlite import SqliteJournal
from faultloop.loop.lease.file import FileLease
from faultloop.loop.providers.openai_chat import OpenAIChat
from faultloop.loop.tools.command import CommandTool
from faultloop.loop.tools.http import discover
from faultloop.loop.tools.port import Tool
from faultloop.scenarios.subjects.reference_parts import (
    Assembly,
    Parts,
    assemble,
    live,
    policy_within,
)

CERTIFICATES = httpx.create_ssl_context()
"""Read once, before the forks; it costs more than a play."""


JOURNALS = {"sqlite": SqliteJournal, "jsonl": JsonlJournal}

SOURCE = os.environ.get("REFERENCE_TOOLS", "http")
"""`http`, `mcp_http` or `mcp_stdio`; of this driver's own, not the contract's."""
if SOURCE != "http":
    from faultloop.loop.tools.mcp import McpServer, Stdio


async def warmed_up() -> None:
    """Be refused a connection once, before the forks: half of a start is what that imports."""
    async with BareClient(httpx.AsyncHTTPTransport(verify=CERTIFICATES)) as client:
        with suppress(httpx.ConnectError):
            await client.send(client.build_request("GET", NOBODY))


NOBODY = httpx.URL("http://127.0.0.1:9")
"""The discard port, which nobody has served since long before there was HTTP."""
asyncio.run(warmed_up())


def main(assembly: Assembly = assemble) -> dict[str, object]:
    """One start of the loop, and the fields of its result line."""
    return asyncio.run(_main(assembly))


async def _main(assembly: Assembly) -> dict[str, object]:
    deadline_s = float(bench.setting("DEADLINE_S"))
    kind = os.environ.get("REFERENCE_JOURNAL", "sqlite")  # of this driver's own, not the contract's
    journal = JOURNALS[kind](Path(bench.setting("STATE_DIR")) / f"journal.{kind}")
    async with (
        BareClient(httpx.AsyncHTTPTransport(verify=CERTIFICATES)) as client,
        offered(client) as tools,
    ):
        agent = assembly(
            Parts(
                provider=OpenAIChat(client, bench.url("OPENAI"), bench.key("OPENAI")),
                tools=tools,
                journal=journal,
                lease=FileLease(journal),
                policy=policy_within(
                    deadline_s=deadline_s,
                    max_steps=int(bench.setting("MAX_STEPS")),
                    streaming=bench.streaming(),
                ),
                session=bench.setting("SESSION"),
                random=Random(),
                model=bench.setting("MODEL"),
            )
        )
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, agent.cancel)
        listening = asyncio.create_task(_listen(agent))
        try:
            rounds = bench.setting("GOAL_ROUNDS")
            fields = await live(agent, bench.setting("INPUT"), int(rounds) if rounds else None)
        finally:
            await agent.close()
        if not listening.cancel():  # it ended by itself, so it failed
            await listening
        return fields


@asynccontextmanager
async def offered(client: BareClient) -> AsyncIterator[tuple[Tool, ...]]:
    """The tools, for as long as they can be called."""
    if SOURCE == "http":
        tools = await discover(client, bench.setting("TOOLS_URL"))
        yield tuple(CommandTool(tool.contract) if tool.runs_here else tool for tool in tools)
        return
    command = Stdio(command=json.loads(bench.setting("MCP_STDIO")))
    target = bench.setting("MCP_URL") if SOURCE == "mcp_http" else command
    async with McpServer("world", target, trusted=True, prefixed=False) as server:
        yield server.tools


async def _listen(agent: Agent) -> None:
    """Pass on what the user says meanwhile."""
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin
    )
    async for line in lines:
        said = json.loads(line)
        match said["type"]:
            case "steer":
                await agent.steer(said["text"], input_id=said["id"])
            case "follow_up":
                await agent.follow_up(said["text"], input_id=said["id"])
            case "cancel":
                agent.cancel()
            case "message":
                try:
                    await agent.prompt(said["text"], input_id=said["id"])
                except Busy as busy:
                    print(busy, file=sys.stderr)


if __name__ == "__main__":
    bench.run(main)
