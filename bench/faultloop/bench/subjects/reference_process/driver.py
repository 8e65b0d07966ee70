"""The reference loop through subject contract v1: nothing here that a stranger could not do."""

import asyncio
import json
import signal
import sys
from pathlib import Path
from random import Random

import faultloop_driver as bench
import httpx

from faultloop.loop.engine import Agent, Busy
from faultloop.loop.journal.sqlite import SqliteJournal
from faultloop.loop.providers.openai_chat import OpenAIChat
from faultloop.loop.tools.command import CommandTool
from faultloop.loop.tools.http import HttpTool, discover
from faultloop.loop.tools.port import Tool
from faultloop.scenarios.subjects.reference_parts import Parts, assemble, live, policy_within

CERTIFICATES = httpx.create_ssl_context()
"""Read once, before the forks; it costs more than a play. So do the client's own late imports."""
httpx.AsyncClient(verify=CERTIFICATES)


def main() -> dict[str, object]:
    """One start of the loop, and the fields of its result line."""
    return asyncio.run(_main())


async def _main() -> dict[str, object]:
    deadline_s = float(bench.setting("DEADLINE_S"))
    async with httpx.AsyncClient(verify=CERTIFICATES, trust_env=False, timeout=None) as client:
        tools = await discover(client, bench.setting("TOOLS_URL"))
        agent = assemble(
            Parts(
                provider=OpenAIChat(client, bench.url("OPENAI"), bench.key("OPENAI")),
                tools=tuple(_runnable(tool) for tool in tools),
                journal=SqliteJournal(Path(bench.setting("STATE_DIR")) / "journal.sqlite"),
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
            fields = await live(agent, bench.setting("INPUT"))
        finally:
            await agent.close()
        if not listening.cancel():  # it ended by itself, so it failed
            await listening
        return fields


def _runnable(tool: HttpTool) -> Tool:
    return CommandTool(tool.contract) if tool.runs_here else tool


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


bench.run(main)
