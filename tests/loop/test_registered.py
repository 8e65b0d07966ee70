"""Functions and foreign tools in a running agent: offered, called, exchanged (SPEC C10, C11)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from faultloop.loop.events import CallEnded, HeaderChanged
from faultloop.loop.registry import Registry
from faultloop.loop.tools.function import tool
from faultloop.loop.tools.mcp import McpServer, Stdio

from .story import Scripted, Story, call, played, say

SDK = Stdio(command=(sys.executable, str(Path(__file__).parent / "mcp_server.py")))


def patiently(story: Coroutine[Any, Any, None]) -> None:
    """Other programs are started: that takes longer than a story's own time."""

    async def bounded() -> None:
        async with asyncio.timeout(60):
            await story

    asyncio.run(bounded())


@tool(read_only=True, strict="preferred")
def measure(path: str, unit: str = "cm") -> str:
    """Measure a thing."""
    return f"{path} is 5 {unit} long"


def test_a_function_is_called_by_the_model_and_nulls_of_strict_decoding_are_recorded() -> None:
    model = Scripted(call(("measure", '{"path": "rake", "unit": null}')), say("It is 5 cm."))
    story = Story(model, [], options={"tools": [measure]})

    async def told() -> None:
        agent = story.agent()
        await agent.open()
        end = await agent.prompt("How long is the rake?")
        await agent.close()
        assert end.end_reason == "completed"

    played(told())
    assert model.told == ["null was read as left out: unit.\nrake is 5 cm long"]
    (ended,) = story.of(CallEnded)
    assert ended.repairs == ("strict_nulls:/unit",)


def test_tools_of_a_server_join_a_running_agent_and_follow_its_list() -> None:
    model = Scripted(
        call(("shed__look", '{"path": "rake"}')), call(("shed__grow", "{}")), say("Grown."),
        call(("shed__later", "{}")), say("Done."),
    )  # fmt: skip
    story = Story(model, [], options={"tools": Registry([measure])})

    async def told() -> None:
        agent = story.agent()
        await agent.open()
        async with McpServer("shed", SDK, connect_timeout_s=150.0) as server:
            changed = asyncio.Event()

            def follow(tools: Any) -> None:
                agent.tools = agent.tools.synced(server.known, tools)
                changed.set()

            agent.tools = agent.tools.plus(*server.tools)
            server.subscribe(follow)
            await agent.prompt("Look, and grow.")
            await changed.wait()
            await agent.prompt("And now?")
            await agent.close()

    patiently(told())
    offered = [{face["name"] for face in request.tools} for request in model.requests]
    assert {"measure", "shed__look"} <= offered[0]
    assert "shed__later" not in offered[0]
    assert "shed__later" in offered[-1]
    assert model.told[-1] == "late"
    assert [event.changed for event in story.of(HeaderChanged)][-1] == ("tools",)
