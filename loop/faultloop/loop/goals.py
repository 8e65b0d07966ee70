"""Goals: durable work that may wake an idle loop again (SPEC G1 to G3).

Two things are kept apart. The *phase* of a goal is durable: it is in the journal and survives every
crash. Whether it is *armed*, that is, whether it may wake the loop by itself, is in the process
only: after a restart somebody decides anew. A round is a follow-up that the loop gives itself.

`MOVES` is the life of a goal (nothing leads out of `complete`), `DISARMS` what takes the arms away,
and `is_due` the whole rule for when a round begins. (What follows from what happened to a goal is
`decide`'s.)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from faultloop.loop.events import EndReason, GoalPhase

MOVES: Mapping[GoalPhase, frozenset[GoalPhase]] = MappingProxyType(
    {
        "active": frozenset({"complete", "blocked", "paused"}),
        "paused": frozenset({"active", "complete", "blocked"}),
        "blocked": frozenset({"active", "complete", "paused"}),
        "complete": frozenset(),
    }
)
"""From a phase to those that may follow it."""

DISARMS: Mapping[EndReason, str] = MappingProxyType(
    {
        "blocked": "the turn was blocked",
        "max_tokens": "a reply was cut at its length limit",
        "max_steps": "the turn had used up its steps",
        "timeout": "the turn's time was used up",
        "token_budget": "the turn had used up its tokens",
        "cost_budget": "the turn had used up its budget",
        "aborted": "the turn was cancelled",
        "error": "the turn failed",
        "interrupted": "the process of the turn vanished",
    }
)
"""Ends after which a goal does not wake the loop by itself any more: all but `completed` (G2). A
loop that failed or was stopped would otherwise fail, or be started, again at once."""

ROUNDS_USED_UP = "its rounds are used up"


class Goal(msgspec.Struct, frozen=True, kw_only=True):
    """A goal, as the journal has it."""

    id: str
    number: int
    """Of the session's goals, from 1."""
    text: str
    rounds_max: int
    """Rounds that it may begin in its whole life."""
    phase: GoalPhase = "active"
    rounds: int = 0
    """Rounds begun: queued, whatever became of them. One that was dropped before its turn counts as
    well, so that a session which vanishes or is cancelled again and again comes to an end."""
    waiting: str = ""
    """Id of the last round's input."""

    @property
    def rounds_left(self) -> int:
        """Rounds that may still begin."""
        return max(0, self.rounds_max - self.rounds)


def is_due(goal: Goal | None, *, armed: bool, prompt_waits: bool) -> bool:
    """Whether an idle loop begins a round now (SPEC G2)."""
    return (
        goal is not None
        and armed
        and goal.phase == "active"
        and goal.rounds_left > 0
        and not prompt_waits
    )


def why_disarmed(goal: Goal, end_reason: EndReason) -> str | None:
    """Why a goal loses its arms after a turn that ended so; None if it keeps them."""
    if end_reason in DISARMS:
        return DISARMS[end_reason]
    return ROUNDS_USED_UP if goal.phase == "active" and not goal.rounds_left else None
