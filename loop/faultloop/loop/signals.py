"""Signals: what the shell saw, told to `decide`.

Each is a thing that happened out there or is about to be done; none says what follows from it. They
are never journalled: what they lead to is. So a field may be added here that no old journal lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from faultloop.loop.events import Cause, GoalPhase, Lane, Limit, Source
from faultloop.loop.header import Header
from faultloop.loop.message import AssistantMessage, Call
from faultloop.loop.providers.port import UsageDelta
from faultloop.loop.state import CallRecord
from faultloop.loop.tools.port import Outcome


class Arrived(msgspec.Struct, frozen=True, kw_only=True):
    """Input for the inbox."""

    id: str | None
    """None: it gets the next id that nobody has taken, made of `prefix` and a number."""
    prefix: str = ""
    lane: Lane
    source: Source
    text: str
    wakes: bool


class Woken(msgspec.Struct, frozen=True, kw_only=True):
    """The idle loop is to begin a turn."""


class Between(msgspec.Struct, frozen=True, kw_only=True):
    """The turn stands between two steps: what next?"""

    resume: bool = False
    """It may begin without input, to go on with a turn that was cut."""
    header: Header | None = None
    """What will stand above the messages of the next request; None: that is told later."""
    entering: Mapping[str, str] | None = None
    """The input that hooks let in, text by id, empty for what must not enter; None: no hook was
    asked, and all that may enter does. What came after the hooks were asked waits."""
    rejected: str | None = None
    """Why a hook lets no step begin."""
    broken: str = ""
    """How a hook failed without which no step may begin."""


class Headed(msgspec.Struct, frozen=True, kw_only=True):
    """What stands above the messages of the request that is about to be made."""

    header: Header


class HookBroken(msgspec.Struct, frozen=True, kw_only=True):
    """A hook raised, hung, or answered with something else than it may."""

    point: str
    hook: str
    error: str


class GoalGiven(msgspec.Struct, frozen=True, kw_only=True):
    """The host sets a goal; its id is `prefix` and its number in the session."""

    prefix: str
    text: str
    rounds_max: int


class GoalPut(msgspec.Struct, frozen=True, kw_only=True):
    """The phase of this goal is to change."""

    goal: str
    phase: GoalPhase
    reason: str = ""


class RoundDue(msgspec.Struct, frozen=True, kw_only=True):
    """The idle loop is to begin a round of its goal."""


class RoundDropped(msgspec.Struct, frozen=True, kw_only=True):
    """A round that waits must not begin any more."""

    reason: str


class TryBegan(msgspec.Struct, frozen=True, kw_only=True):
    """A try at the model, at a tool or at a query is about to be made."""

    of: Literal["model", "tool", "query"]
    call: str | None = None


class TryEnded(msgspec.Struct, frozen=True, kw_only=True):
    """That try is over, and what it was part of is not."""

    attempt: str
    state: Literal["completed", "failed", "interrupted"]
    detail: str = ""
    usage: UsageDelta | None = None


class ItemCame(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a reply that is still coming is whole (SPEC L4)."""

    attempt: str
    call: Call


class Replied(msgspec.Struct, frozen=True, kw_only=True):
    """The model's reply came, whole."""

    attempt: str
    message: AssistantMessage
    usage: UsageDelta | None = None


class StepOver(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing more will happen in this step. `error`: it came to nothing, and why."""

    error: str = ""


class CallBegan(msgspec.Struct, frozen=True, kw_only=True):
    """A call passed every check and is about to run."""

    record: CallRecord
    tool: str
    given: str
    key: str


class CallOver(msgspec.Struct, frozen=True, kw_only=True):
    """A call that ran is over."""

    record: CallRecord
    outcome: Outcome
    content: str
    attempt: str | None = None
    """Its last try, if that is still open."""
    code: str = ""
    truncated: bool = False
    continuation: str = ""
    repairs: tuple[str, ...] = ()
    concludes: bool = False


class CallRefused(msgspec.Struct, frozen=True, kw_only=True):
    """A call will not run."""

    record: CallRecord
    code: str
    content: str = ""
    """Empty: the table's sentence for this code."""


class Stopped(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody cancelled."""

    cause: Cause
    reason: str = ""
    queued: tuple[str, ...] = ()
    """Ids that were waiting at that moment; what came later belongs to the next turn (X6)."""


class LimitHit(msgspec.Struct, frozen=True, kw_only=True):
    """A limit was reached in the middle of something."""

    limit: Limit


Signal = (
    Arrived
    | Woken
    | Between
    | Headed
    | HookBroken
    | GoalGiven
    | GoalPut
    | RoundDue
    | RoundDropped
    | TryBegan
    | TryEnded
    | ItemCame
    | Replied
    | StepOver
    | CallBegan
    | CallOver
    | CallRefused
    | Stopped
    | LimitHit
)
