"""What the reference subject is made of, wherever it is played: in this process or in its own.

`Parts` is everything that an agent is given, `assemble` makes one of it. A mutant is another
`Assembly`: a subclass of the agent, or parts that were tampered with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from faultloop.loop.budget import Budget
from faultloop.loop.engine import Agent, TurnEnd
from faultloop.loop.events import EndReason
from faultloop.loop.journal.port import Journal
from faultloop.loop.landmarks import SILENT, Landmarks
from faultloop.loop.lease.port import Lease
from faultloop.loop.policy import REFERENCE, Policy
from faultloop.loop.providers.port import Provider
from faultloop.loop.tools.port import Tool

# Shares of a start's deadline, so that the loop's own limits strike before the bench's does: what
# is silent or hangs is given up, told to the model, and there is time left to end properly.
STALL_SHARE = 0.2
TOOL_SHARE = 0.3
TURN_SHARE = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What an agent is given."""

    provider: Provider
    tools: tuple[Tool, ...]
    journal: Journal
    policy: Policy
    session: str
    random: Random
    model: str = "fake-model"
    landmarks: Landmarks = SILENT
    lease: Lease | None = None
    """In a process of its own; in this one, the house itself never starts two at once."""


NO_ROUND = {"end_reason": "error", "error": "the goal never began a round"}
"""Of a goal's account, where no turn came of it: an armed goal owes at least one."""


Assembly = Callable[[Parts], Agent]


def assemble(parts: Parts) -> Agent:
    """The reference loop."""
    return agent_of(Agent, parts)


def agent_of(kind: type[Agent], parts: Parts) -> Agent:
    """An agent of this kind."""
    return kind(
        provider=parts.provider,
        tools=parts.tools,
        journal=parts.journal,
        policy=parts.policy,
        model=parts.model,
        session=parts.session,
        random=parts.random,
        landmarks=parts.landmarks,
        lease=parts.lease,
    )


def policy_within(
    *, deadline_s: float, max_steps: int, streaming: bool, base: Policy = REFERENCE
) -> Policy:
    """The policy of one start: the limits that it was told, and its own well inside them."""
    own = base.budget.steps_max
    steps_max = max_steps if own is None else min(max_steps, own)
    return replace(
        base,
        budget=Budget(steps_max=steps_max, wall_s_max=deadline_s * TURN_SHARE),
        stream=streaming,
        stall_s=min(base.stall_s, deadline_s * STALL_SHARE),
        tool_timeout_s=min(base.tool_timeout_s, deadline_s * TOOL_SHARE),
    )


async def live(agent: Agent, said: str, goal_rounds: int | None = None) -> dict[str, Any]:
    """One start: recover, take the message or go on with what is pending, and give account.

    With `goal_rounds` the message is a goal, and the account is of its last round. Returns the
    fields of a result line.
    """
    recovered = await agent.open()
    if goal_rounds is None:
        end = await agent.prompt(said) if said else await agent.resume()
    else:
        before = agent.last_turn
        await agent.set_goal(said, rounds_max=goal_rounds)
        await agent.idle()
        end = agent.last_turn
        if end == before:
            return account(None, recovered) | NO_ROUND
    return account(end, recovered)


def account(end: TurnEnd | None, recovered: tuple[EndReason, ...]) -> dict[str, Any]:
    """A turn's end as the fields of a result line; without one there was nothing to do."""
    fields: dict[str, Any] = {"end_reason": "completed", "turn": 0}
    if end is not None:
        fields = {
            "turn": end.turn,
            "end_reason": end.end_reason,
            "finish_reason": end.finish_reason,
            "final_text": end.text,
            "error": end.error or None,
        }
    return fields | {"recovered": [{"end_reason": reason, "turn": 0} for reason in recovered]}
