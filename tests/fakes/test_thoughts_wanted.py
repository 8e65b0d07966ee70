"""A request that gives thinking a budget gets thinking in each reply, and may go on with it."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.plan import Plan
from faultloop.fakes.recorded import Recorded
from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.stage import Stage
from faultloop.fakes.transport import StageTransport
from faultloop.fakes.world.spec import WorldSpec

from .carried import NoDeeds

CALLS = (ScriptedCall.of("read_file", {"path": "a"}),)
TOOL = {"name": "read_file", "description": "Reads.", "input_schema": {"type": "object"}}


async def conversation(first: Step, thinking: dict[str, Any] | None) -> list[list[str]]:
    """The kinds of blocks of two replies, the second asked for with the first's result."""
    plan = Plan(
        seed=1,
        play="p",
        script=Script(turns=((first, Step(say="Done.")),)),
        inputs=("Go.",),
        world=WorldSpec(files={"a": "one"}),
    )
    stage = Stage(plan, clock=asyncio.get_running_loop().time, deeds=NoDeeds())
    stage.begin(1, 0, resume=False)
    transport = StageTransport(App({"p": stage}))
    body: dict[str, Any] = {"model": "claude-opus-4-1", "max_tokens": 4_096, "tools": [TOOL]}
    body |= {"thinking": thinking} if thinking else {}
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Go."}]
    heads = {"anthropic-version": "2023-06-01", "x-api-key": "none"}
    kinds = []
    async with httpx.AsyncClient(transport=transport, base_url="http://fake/r/p/1/") as client:
        for _ in range(2):
            sent = {**body, "messages": messages}
            answer = await client.post("v1/messages", json=sent, headers=heads, timeout=None)
            assert answer.status_code == 200, answer.text
            content = answer.json()["content"]
            kinds.append([block["type"] for block in content])
            results = [
                {"type": "tool_result", "tool_use_id": block["id"], "content": "one"}
                for block in content
                if block["type"] == "tool_use"
            ]
            messages += [{"role": "assistant", "content": content}]
            messages += [{"role": "user", "content": results or "Thanks."}]
    await stage.close()
    return kinds


@pytest.mark.parametrize(
    ("thinking", "first", "kinds"),
    [
        ({"type": "enabled", "budget_tokens": 1_024}, Step(calls=CALLS), ["thinking", "tool_use"]),
        (
            {"type": "enabled", "budget_tokens": 1_024},
            Step(think="Which file?", calls=CALLS),
            ["thinking", "tool_use"],
        ),
        ({"type": "adaptive"}, Step(calls=CALLS), ["tool_use"]),
        (None, Step(calls=CALLS), ["tool_use"]),
    ],
)
def test_what_was_said_may_be_gone_on_with(
    thinking: dict[str, Any] | None, first: Step, kinds: list[str]
) -> None:
    said = clock.run(lambda: conversation(first, thinking), seed=1)
    assert said[0] == kinds
    assert ("thinking" in said[1]) == (thinking is not None and thinking["type"] == "enabled")


def test_what_was_recorded_without_a_thought_may_be_gone_on_with() -> None:
    enabled = {"type": "enabled", "budget_tokens": 1_024}
    recorded = Step(calls=CALLS, recorded=Recorded(dialect="openai_chat"))
    said = clock.run(lambda: conversation(recorded, enabled), seed=1)
    assert said[0] == ["tool_use"]
