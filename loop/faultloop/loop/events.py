"""What the journal holds: facts in the order in which they became durable.

Each event is one thing that happened, never an intention, with one exception that is the point of
the whole journal: `CallStarted` is written *before* a tool runs (SPEC D1), so that after a crash a
started call without an end is known to be of unknown outcome (SPEC D2). `evolving` folds these
into a state; replaying them gives the same history byte for byte (SPEC D10).

Identity: a call is known by `call`, its place `turn/step/index` in the session, because a model may
use one id twice. The dialect's own id stays beside it as `call_id`. An attempt is `turn/step/n`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from faultloop.loop.header import Header
from faultloop.loop.message import AssistantMessage, Call, FinishReason, Notice, ResultMessage
from faultloop.loop.tools.port import Outcome

EndReason = Literal[
    "completed",
    "blocked",
    "max_tokens",
    "max_steps",
    "timeout",
    "token_budget",
    "cost_budget",
    "aborted",
    "error",
    "interrupted",
]
"""SPEC L11. `aborted`: cancelled at run time; `interrupted`: written by recovery."""

Lane = Literal["interrupt", "next_step", "next_turn"]
Source = Literal["user", "tool", "job", "system"]
Cause = Literal["user", "parent", "hook", "disposed"]
GoalPhase = Literal["active", "complete", "blocked", "paused"]
"""SPEC G1."""
Limit = Literal["timeout"]
"""Limits that stop a turn in the middle of a step; the others only forbid a next one."""


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """A fact of the session."""


class InputQueued(Event, tag="input_queued", frozen=True, kw_only=True):
    """Input was taken into the inbox (SPEC I2); acknowledged only after this is durable."""

    id: str
    lane: Lane
    source: Source
    text: str
    wakes: bool = True
    """Whether it starts an idle loop (SPEC I4): a follow-up and steering do, an injection not."""


class InputDiscarded(Event, tag="input_discarded", frozen=True, kw_only=True):
    """Queued input was dropped, with notice (SPEC X4, I3)."""

    id: str
    reason: str


class TurnStarted(Event, tag="turn_started", frozen=True, kw_only=True):
    """Journalled before input is claimed (SPEC L5)."""

    turn: int


class InputClaimed(Event, tag="input_claimed", frozen=True, kw_only=True):
    """Queued input entered the context; it is never moved again (SPEC I3, X6)."""

    turn: int
    id: str
    text: str | None = None
    """What entered in its place, where a hook rewrote it (SPEC L13)."""


class NoticeAdded(Event, tag="notice_added", frozen=True, kw_only=True):
    """The loop told the model something of its own (SPEC X3)."""

    turn: int
    notice: Notice


class HeaderChanged(Event, tag="header_changed", frozen=True, kw_only=True):
    """What stands above the messages of the next request is new (SPEC L15, L16)."""

    turn: int
    changed: tuple[str, ...]
    """Which parts, as `header.changes` names them."""
    header: Header
    """As it is now."""


class StepStarted(Event, tag="step_started", frozen=True, kw_only=True):
    """A model request is owed, and why (SPEC L7)."""

    turn: int
    step: int
    cause: Literal["input", "results", "steer", "follow_up", "resume", "goal"]
    basis: tuple[str, ...] = ()
    """What it rests on: places of calls whose results the model is owed, ids of input."""


class AttemptStarted(Event, tag="attempt_started", frozen=True, kw_only=True):
    """One try at a model request or at a tool (SPEC D5)."""

    attempt: str
    of: Literal["model", "tool", "query"]
    """`query` asks the world what became of a call of unknown outcome (SPEC D2)."""
    turn: int
    step: int
    call: str | None = None


class AttemptEnded(Event, tag="attempt_ended", frozen=True, kw_only=True):
    """How that try ended; the text of a failed one never enters the model's history."""

    attempt: str
    state: Literal["completed", "failed", "interrupted"]
    detail: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    estimated: bool = False
    """The provider counted nothing; the counts are the loop's own guess."""


class ItemCommitted(Event, tag="item_committed", frozen=True, kw_only=True):
    """A call of a reply that is still coming is whole, and may start from here on (SPEC L4).

    Only where execution starts per item: it is then what `MessageCommitted` is for all the calls
    of a reply, durable before the call starts (SPEC D1). Its place is the next of its step.
    """

    turn: int
    step: int
    attempt: str
    call: Call


class MessageCommitted(Event, tag="message_committed", frozen=True, kw_only=True):
    """The assistant message, once and whole, before any of its calls starts (SPEC D1).

    But for calls that were committed before it as items; it repeats them, and they stand first.
    """

    turn: int
    step: int
    attempt: str
    message: AssistantMessage
    broken: str = ""
    """What the reply broke off with, where it came to no end: then the message has the calls that
    had been committed by then, and nothing else of it (SPEC L4, D5)."""


class CallStarted(Event, tag="call_started", frozen=True, kw_only=True):
    """Write-ahead: the next thing that happens to this call is its execution (SPEC D1)."""

    call: str
    call_id: str
    attempt: str
    tool: str
    arguments: str
    """Canonical JSON of what the tool is given."""
    key: str
    """Idempotency key, stable across attempts and restarts (SPEC D3)."""


class CallEnded(Event, tag="call_ended", frozen=True, kw_only=True):
    """A started call has its result, and the model's history has it too."""

    call: str
    call_id: str
    outcome: Outcome
    result: ResultMessage
    code: str = ""
    truncated: bool = False
    """The result is not all that there was (SPEC C4, C7)."""
    continuation: str = ""
    """How to read on, in the tool's own words."""
    repairs: tuple[str, ...] = ()
    concludes: bool = False


class CallNotExecuted(Event, tag="call_not_executed", frozen=True, kw_only=True):
    """A call was closed without ever running (SPEC X2, P1, P6, P7, S3)."""

    call: str
    call_id: str
    code: str
    result: ResultMessage


class StepEnded(Event, tag="step_ended", frozen=True, kw_only=True):
    """The step's batch is closed, and what follows from it (SPEC L6)."""

    turn: int
    step: int
    why: Literal["owes_request", "input_waiting", "done", "cut", "failed"]
    """`cut`: a cancel, a limit or a vanished process ended it before its own end."""
    error: str = ""
    """What failed, where `why` is `failed`."""
    order: tuple[str, ...] = ()
    """Places of the batch's calls in the order in which their results enter; empty: the model's."""


class LimitReached(Event, tag="limit_reached", frozen=True, kw_only=True):
    """A budget was used up in the middle of a step: nothing further starts (SPEC L2)."""

    turn: int
    limit: Limit


class CancelRequested(Event, tag="cancel_requested", frozen=True, kw_only=True):
    """Who cancelled; the first cause wins (SPEC X4).

    It stops the open turn; between two turns, where none is open, only what was queued by then.
    """

    turn: int
    cause: Cause
    reason: str = ""
    kept: tuple[str, ...] = ()
    """Queued input that stays queued but no longer wakes the loop (policy `queue_on_cancel`)."""


class HookFailed(Event, tag="hook_failed", frozen=True, kw_only=True):
    """A hook raised or hung; what followed from it is in `hooks.POINTS` (SPEC L13)."""

    turn: int
    point: str
    hook: str
    error: str


class GoalSet(Event, tag="goal_set", frozen=True, kw_only=True):
    """The session has a new goal, and it is active (SPEC G1)."""

    goal: str
    text: str
    rounds_max: int


class GoalMoved(Event, tag="goal_moved", frozen=True, kw_only=True):
    """The goal's phase changed (SPEC G1, G3)."""

    goal: str
    phase: GoalPhase
    reason: str = ""


class GoalRound(Event, tag="goal_round", frozen=True, kw_only=True):
    """A round of the goal began: its input is queued together with this (SPEC G2)."""

    goal: str
    round: int
    input: str


class TurnEnded(Event, tag="turn_ended", frozen=True, kw_only=True):
    """Exactly one for each TurnStarted (SPEC L5)."""

    turn: int
    end_reason: EndReason
    finish_reason: FinishReason | None = None
    """The provider's own reason, kept beside the turn's (SPEC L12)."""
    error: str = ""


AnyEvent = (
    InputQueued
    | InputDiscarded
    | TurnStarted
    | InputClaimed
    | NoticeAdded
    | HeaderChanged
    | StepStarted
    | AttemptStarted
    | AttemptEnded
    | ItemCommitted
    | MessageCommitted
    | CallStarted
    | CallEnded
    | CallNotExecuted
    | StepEnded
    | LimitReached
    | CancelRequested
    | HookFailed
    | GoalSet
    | GoalMoved
    | GoalRound
    | TurnEnded
)
