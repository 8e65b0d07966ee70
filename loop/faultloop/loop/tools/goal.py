"""The tool with which a model says that its goal is reached, or cannot be (SPEC G3).

It speaks of the goal that the session had when the turn began: another that the host has set since
is none that the model can know of.

It is offered only where the host adds it. The phase is durable before the result is given; the turn
goes on, so that the model can close with a message, and however that message fares the goal stays
what it was put to. Whether a model's word is enough is for the host to decide (SPEC L10): one that
wants proof does not offer this tool, or blocks it in a `before_tool` hook until it has seen some.
"""

from __future__ import annotations

from typing import Any

from faultloop.loop.contract import Contract
from faultloop.loop.events import GoalPhase
from faultloop.loop.pursuing import GoalRefused, Pursuing
from faultloop.loop.tools.port import ToolContext, ToolResult

CONTRACT = Contract(
    name="finish_goal",
    purpose="Say that the goal of this session is reached, or that it cannot be reached.",
    when="You have verified that the goal is reached, or you know what is in the way.",
    when_not="A round is over but the goal is not reached yet: just say where things stand.",
    returns="One line that says what the goal is now.",
    parameters={
        "type": "object",
        "properties": {
            "state": {"type": "string", "enum": ["complete", "blocked"]},
            "reason": {"type": "string", "description": "How you know; or what is in the way."},
        },
        "required": ["state", "reason"],
        "additionalProperties": False,
    },
    example={"state": "complete", "reason": "All 14 tests pass, and CI is green for the branch."},
    mistake="Calling it before checking: look first, then call it.",
    idempotent=True,
    cancellable=True,
    risk="low",
)


class FinishGoal:
    """Moves the session's goal."""

    contract = CONTRACT

    def __init__(self, pursuing: Pursuing) -> None:
        self._pursuing = pursuing

    async def run(self, args: dict[str, Any], context: ToolContext) -> ToolResult:
        """Put the goal to the phase that the model names."""
        phase: GoalPhase = "complete" if args["state"] == "complete" else "blocked"
        try:
            turn = self._pursuing.recorder.state.turn
            await self._pursuing.put(phase, args["reason"], goal=turn.goal)
        except GoalRefused as refused:
            return ToolResult(
                outcome="failed", code="GOAL_REFUSED", content=f"Not done: {refused}."
            )
        return ToolResult(outcome="ok", content=f"The goal is {phase} now.")
