"""THE table: which fact may follow which, and what a session owes at any moment.

Picture four rooms. A session is `idle` until a turn starts; a turn stands `ready` between its
steps; a step is `asking` until its message is committed and then `acting` until the last of its
calls is closed. A turn ends only from `ready`, so whatever happens, calls are closed before their
step and steps before their turn. (Where policy starts a call as soon as it is whole, calls run
while their step is still `asking`: an `ItemCommitted` is the message of one call.)

    idle --TurnStarted--> ready --StepStarted--> asking --MessageCommitted--> acting
      ^                   |  ^                      |                           |
      +----TurnEnded------+  +------StepEnded-------+---------StepEnded---------+

`TRANSITIONS` is that picture, `CALL_STAGES` the same for one call. `evolving` walks it, and holds
the debts: an open call forbids the end of its step, a stop forbids the start of a call. Nothing
decides here: see `decide`. (The values are msgspec's structs because a changed copy of one costs a
tenth of a dataclass's, and a turn makes hundreds.)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

import msgspec

from faultloop.loop.budget import Spent
from faultloop.loop.events import (
    AttemptEnded,
    AttemptStarted,
    CallEnded,
    CallNotExecuted,
    CallStarted,
    CancelRequested,
    Cause,
    EndReason,
    Event,
    GoalMoved,
    GoalRound,
    GoalSet,
    HeaderChanged,
    HookFailed,
    InputClaimed,
    InputDiscarded,
    InputQueued,
    ItemCommitted,
    LimitReached,
    MessageCommitted,
    NoticeAdded,
    StepEnded,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.goals import Goal
from faultloop.loop.header import Header
from faultloop.loop.inbox import Inbox
from faultloop.loop.message import FinishReason, Message

Phase = Literal["idle", "ready", "asking", "acting"]

ALWAYS: frozenset[type[Event]] = frozenset(
    {InputQueued, InputDiscarded, GoalSet, GoalMoved, GoalRound}
)
"""What may happen in every phase and moves none: input and goals never wait for the loop."""

TRANSITIONS: Mapping[Phase, Mapping[type[Event], Phase]] = MappingProxyType(
    {
        "idle": {TurnStarted: "ready", CancelRequested: "idle"},
        "ready": {
            InputClaimed: "ready",
            NoticeAdded: "ready",
            HeaderChanged: "ready",
            HookFailed: "ready",
            CancelRequested: "ready",
            LimitReached: "ready",
            StepStarted: "asking",
            TurnEnded: "idle",
        },
        "asking": {
            HeaderChanged: "asking",
            HookFailed: "asking",
            AttemptStarted: "asking",
            AttemptEnded: "asking",
            ItemCommitted: "asking",
            CallStarted: "asking",
            CallEnded: "asking",
            CallNotExecuted: "asking",
            CancelRequested: "asking",
            LimitReached: "asking",
            MessageCommitted: "acting",
            StepEnded: "ready",
        },
        "acting": {
            HookFailed: "acting",
            AttemptStarted: "acting",
            AttemptEnded: "acting",
            CallStarted: "acting",
            CallEnded: "acting",
            CallNotExecuted: "acting",
            CancelRequested: "acting",
            LimitReached: "acting",
            StepEnded: "ready",
        },
    }
)
"""From a phase, by an event, to a phase. What is not here is illegal."""

Stage = Literal["queued", "started", "completed", "not_executed"]

CALL_STAGES: Mapping[type[Event], tuple[Stage, Stage]] = MappingProxyType(
    {
        CallStarted: ("queued", "started"),
        CallEnded: ("started", "completed"),
        CallNotExecuted: ("queued", "not_executed"),
    }
)
"""The life of one call (SPEC S4): which stage an event wants, and which it leaves behind."""


class CallRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One call of the current step and how far it came."""

    call: str
    """Its place in the session, `turn/step/index`."""
    id: str
    name: str
    arguments: str
    """As the model wrote them."""
    stage: Stage = "queued"
    tool: str = ""
    given: str = ""
    """Canonical JSON of what the tool was given, once started."""
    key: str = ""
    ended: CallEnded | CallNotExecuted | None = None

    @property
    def is_open(self) -> bool:
        """Whether the model is still owed its result."""
        return self.ended is None


class Ran(NamedTuple):
    """A call that was run to an end, known or not."""

    call: str
    id: str
    tool: str
    given: str
    """Canonical JSON of what the tool was given."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """The turn that is open, or the last one that was."""

    number: int
    step: int = 0
    """Steps begun; 0 until the first."""
    why: str = ""
    """What followed from the last step that ended (`StepEnded.why`)."""
    batch: tuple[CallRecord, ...] = ()
    """Calls of the current step, in the model's order."""
    attempts: tuple[AttemptStarted, ...] = ()
    """Those under way."""
    tries: int = 0
    """Attempts begun in the current step; numbers them."""
    claimed: int = 0
    """Inputs let in."""
    goal: str = ""
    """Id of the goal that the session had when it began."""
    follow_up: bool = False
    """Its first input had come as a follow-up."""

    truncated: bool = False
    """The current step's reply was cut or broke off: none of its calls may start (SPEC P1)."""
    broken: str = ""
    """What the last reply broke off with, after calls of it had been committed as items."""
    stop: EndReason | None = None
    """Nothing further starts: a cancel or a limit; the first one wins (SPEC X4)."""
    cause: Cause | None = None
    error: str = ""
    cut_replies: int = 0
    """Replies with calls that were judged truncated."""
    text_cut: bool = False
    """A reply without calls was: `max_tokens` sticks to the turn (SPEC L12)."""
    denied: bool = False
    closed: tuple[str, ...] = ()
    """Places of the current step's calls that are closed, run or not, in the order of it."""
    ran: tuple[Ran, ...] = ()
    """Calls of the whole turn that were run to an end, in the order in which they ended."""
    finish_reason: FinishReason | None = None
    text: str = ""
    """The last text of the model that is not empty."""
    spent: Spent = Spent()
    """Tokens; steps are `step`, and wall time is the shell's to watch (SPEC L2)."""
    cut_in: Phase | None = None
    """What was going on when a step was cut or failed (SPEC X3)."""
    end_reason: EndReason | None = None

    @property
    def open_calls(self) -> tuple[CallRecord, ...]:
        """Calls whose results the model is owed."""
        return tuple([record for record in self.batch if record.ended is None])

    def record(self, call: str) -> CallRecord | None:
        """The call at this place, if the current step has it."""
        for record in self.batch:
            if record.call == call:
                return record
        return None


class State(msgspec.Struct, frozen=True, kw_only=True):
    """All that the journal says, folded."""

    phase: Phase = "idle"
    inbox: Inbox = Inbox()
    history: tuple[Message, ...] = ()
    """The conversation. Results of a batch enter together, in the model's order, when its step
    closes (SPEC S2); until then they wait in `turn.batch`."""
    turn: Turn = Turn(number=0, end_reason="completed")
    header: Header | None = None
    """What stood above the messages of the last request; None before the first (SPEC L16)."""
    goal: Goal | None = None
    """The last goal that was set, whatever became of it (SPEC G1)."""
    untold: tuple[Turn, ...] = ()
    """Turns that were cut, and no model has been told of it yet (SPEC X3)."""
