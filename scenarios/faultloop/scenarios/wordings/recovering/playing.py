"""A failed call as the reference loop has it: what a request to the model says after a mistake.

The loop is played. Its provider says the spoilt call first; the loop refuses it, words the
refusal, and asks again; a `context` hook puts a style's words into the place of the loop's own, and
what that second request holds is the question to the model under test. Nothing of it is made up
here, so what the loop repairs, replays or cuts is as it is in a real session. A spoilt call that
the loop mends or runs is no mistake: there is nothing to correct.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from faultloop.loop.budget import Budget
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent
from faultloop.loop.hooks import Hooks
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.message import AssistantMessage, Call, Message, ResultMessage
from faultloop.loop.output import fit
from faultloop.loop.policy import REFERENCE
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ModelRequest,
    TextDelta,
)
from faultloop.loop.registry import Registry
from faultloop.loop.tools.port import ToolContext, ToolResult
from faultloop.scenarios.wordings.recovering.mistakes import Spelt
from faultloop.scenarios.wordings.recovering.styles import Failed, Style

After = tuple[AssistantMessage | ResultMessage, ...]
CALL = "call_1"
POLICY = replace(REFERENCE, budget=Budget(steps_max=2), stream=False)


@dataclass(frozen=True, slots=True)
class NeverRun:
    """A tool that is offered only; whoever runs it sees that no mistake was made."""

    contract: Contract

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Done."""
        return ToolResult(outcome="ok", content="Done.")


class SaysFirst:
    """A provider that makes one call, and keeps what it is asked afterwards."""

    def __init__(self, spelt: Spelt) -> None:
        self._spelt = spelt
        self.requests: list[ModelRequest] = []

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The call; after it a text that ends the turn."""
        self.requests.append(request)
        if len(self.requests) == 1:
            name, arguments = self._spelt
            yield CallDelta(0, id=CALL, name=name, arguments=arguments)
            yield FinishDelta("tool_calls", "tool_calls")
        else:
            yield TextDelta(".")
            yield FinishDelta("stop", "stop")
        yield EndDelta()


def registry(contracts: Sequence[Contract]) -> Registry:
    """Tools that are offered only."""
    return Registry(map(NeverRun, contracts))


async def after_mistake(prompt: str, spelt: Spelt, tools: Registry, style: Style) -> After | None:
    """What a request says after the prompt: the call, and what is told of it in this style.

    None: the loop found nothing to refuse.
    """
    provider = SaysFirst(spelt)
    agent = Agent(
        provider=provider,
        tools=tools,
        journal=MemoryJournal(),
        session="mistake",
        policy=POLICY,
        hooks=Hooks(context=(_worded(style, tools),)),
    )
    try:
        await agent.prompt(prompt)
    finally:
        await agent.close()
    told = tuple(
        one
        for one in provider.requests[1].messages
        if isinstance(one, AssistantMessage | ResultMessage)
    )
    results = [one for one in told if isinstance(one, ResultMessage)]
    return None if any(one.ok for one in results) else told


def _worded(style: Style, tools: Registry) -> Any:
    """The hook: the words of failed results, in this style."""

    def worded(messages: tuple[Message, ...]) -> list[Message]:
        calls = {
            call.id: call
            for one in messages
            if isinstance(one, AssistantMessage)
            for call in one.calls
        }
        return [
            _in_style(one, calls[one.call_id], style, tools)
            if isinstance(one, ResultMessage) and not one.ok
            else one
            for one in messages
        ]

    return worded


def _in_style(result: ResultMessage, call: Call, style: Style, tools: Registry) -> ResultMessage:
    tool = tools.get(call.name)
    contract = tool.contract if tool else None
    says = style(Failed(call=call, contract=contract, says=result.content))
    if contract is not None:
        says = fit(says, contract.output_budget_bytes).text
    return msgspec.structs.replace(result, content=says)
