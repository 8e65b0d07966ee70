"""Signals: what the shell saw, told to `decide`.

Each is a thing that happened out there or is about to be done; none says what follows from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from faultloop.loop.events import Cause, Lane, Limit, Source
from faultloop.loop.message import AssistantMessage
from faultloop.loop.providers.port import UsageDelta
from faultloop.loop.state import CallRecord
from faultloop.loop.tools.port import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """Input for the inbox."""

    id: str
    lane: Lane
    source: Source
    text: str
    wakes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Woken:
    """The idle loop is to begin a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """The turn stands between two steps: what next?"""

    resume: bool = False
    """It may begin without input, to go on with a turn that was cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TryBegan:
    """A try at the model, at a tool or at a query is about to be made."""

    of: Literal["model", "tool", "query"]
    call: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TryEnded:
    """That try is over, and what it was part of is not."""

    attempt: str
    state: Literal["completed", "failed", "interrupted"]
    detail: str = ""
    usage: UsageDelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """The model's reply came, whole."""

    attempt: str
    message: AssistantMessage
    usage: UsageDelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOver:
    """Nothing more will happen in this step. `error`: it came to nothing, and why."""

    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallBegan:
    """A call passed every check and is about to run."""

    record: CallRecord
    tool: str
    given: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOver:
    """A call that ran is over."""

    record: CallRecord
    outcome: Outcome
    content: str
    attempt: str | None = None
    """Its last try, if that is still open."""
    code: str = ""
    repairs: tuple[str, ...] = ()
    concludes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRefused:
    """A call will not run."""

    record: CallRecord
    code: str
    content: str = ""
    """Empty: the table's sentence for this code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """Somebody cancelled."""

    cause: Cause
    reason: str = ""
    queued: tuple[str, ...] = ()
    """Ids that were waiting at that moment; what came later belongs to the next turn (X6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitHit:
    """A limit was reached in the middle of something."""

    limit: Limit


Signal = (
    Arrived
    | Woken
    | Between
    | TryBegan
    | TryEnded
    | Replied
    | StepOver
    | CallBegan
    | CallOver
    | CallRefused
    | Stopped
    | LimitHit
)
