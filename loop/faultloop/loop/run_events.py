"""The run as one typed stream, for every consumer: terminal, page, log, test (SPEC E1).

Most of it is the journal told in other words, and `told` is that translation: what is durable is
also what is seen. Only deltas, progress and permissions have no place in the journal; a delta is
for display and carries its attempt, so that text of an attempt that failed can be marked and is
never appended to (SPEC D5). `ToolStarted` comes after permission and after the journal.

    turn.started ( input.* ( message.delta* attempt.failed )* message.ended tool.* step.ended )*
    turn.ended ... idle

Where execution starts per item (SPEC L4), tools may start and end among a message's deltas; if its
attempt then fails, the message that ends has those calls and none of the text.

Five layers of stopping can be told apart (SPEC L10): the model's stream (`message.ended`), the
batch (`step.ended`), the turn (`turn.ended`), the activity (`idle`), the goal (`goal.changed`,
`goal.armed`).

State is updated before subscribers run; they run one after the other in the order in which they
registered (SPEC E2); what one of them raises never changes what the turn does.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from faultloop.loop.events import (
    AnyEvent,
    AttemptEnded,
    CallEnded,
    CallNotExecuted,
    CallStarted,
    EndReason,
    GoalMoved,
    GoalPhase,
    GoalSet,
    InputClaimed,
    InputDiscarded,
    MessageCommitted,
    StepEnded,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.message import AssistantMessage, FinishReason
from faultloop.loop.tools.port import Outcome

QUERY = "/query"
"""Behind a call's place: a query of the world about it (SPEC D2)."""


class RunEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Something that a consumer may want to show."""


class TurnBegan(RunEvent, tag="turn.started", frozen=True, kw_only=True):
    """A turn began."""

    turn: int


class InputEntered(RunEvent, tag="input.claimed", frozen=True, kw_only=True):
    """Queued input entered the context (SPEC I3)."""

    id: str


class InputDropped(RunEvent, tag="input.discarded", frozen=True, kw_only=True):
    """Queued input was dropped: by a cancel, a hook, or with its goal; `reason` says (SPEC X4)."""

    id: str
    reason: str


class MessageDelta(RunEvent, tag="message.delta", frozen=True, kw_only=True):
    """A piece of text of a reply that may still come to nothing."""

    attempt: str
    text: str


class MessageEnded(RunEvent, tag="message.ended", frozen=True, kw_only=True):
    """The reply is whole and durable."""

    attempt: str
    message: AssistantMessage


class AttemptFailed(RunEvent, tag="attempt.failed", frozen=True, kw_only=True):
    """A try came to nothing; deltas of it may stay on the screen as interrupted."""

    attempt: str
    detail: str


class UsageCounted(RunEvent, tag="usage", frozen=True, kw_only=True):
    """Tokens of one try."""

    attempt: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int


class PermissionAsked(RunEvent, tag="permission.asked", frozen=True, kw_only=True):
    """A valid call waits for permission."""

    call: str
    """Its place; of a query of the loop's own, which is no call of the model's, the place of the
    call that it is about, and QUERY behind it."""
    tool: str
    arguments: str


class PermissionAnswered(RunEvent, tag="permission.answered", frozen=True, kw_only=True):
    """That question is over. Each has one such end, whatever becomes of its turn meanwhile."""

    call: str
    granted: bool
    """False also where nobody answered, because the turn was stopped."""


class ToolStarted(RunEvent, tag="tool.started", frozen=True, kw_only=True):
    """A call was permitted, journalled, and runs."""

    call: str
    call_id: str
    tool: str
    arguments: str


class ToolProgress(RunEvent, tag="tool.progress", frozen=True, kw_only=True):
    """What a running tool says of its progress."""

    call: str
    text: str


class ToolEnded(RunEvent, tag="tool.ended", frozen=True, kw_only=True):
    """A call is closed; `outcome` is None where it was never executed."""

    call: str
    call_id: str
    outcome: Outcome | None
    code: str
    content: str


class StepClosed(RunEvent, tag="step.ended", frozen=True, kw_only=True):
    """The batch is closed; `why` says what follows, and on what basis (SPEC L6, L10)."""

    turn: int
    step: int
    why: str


class TurnOver(RunEvent, tag="turn.ended", frozen=True, kw_only=True):
    """The turn is over; nothing of it follows."""

    turn: int
    end_reason: EndReason
    finish_reason: FinishReason | None
    error: str


class WentIdle(RunEvent, tag="idle", frozen=True, kw_only=True):
    """The activity is over: no turn is open and nothing waits that wakes the loop (SPEC L9)."""


class GoalChanged(RunEvent, tag="goal.changed", frozen=True, kw_only=True):
    """The session's goal was set, or is in another phase (SPEC G1)."""

    goal: str
    phase: GoalPhase
    reason: str


class GoalArmed(RunEvent, tag="goal.armed", frozen=True, kw_only=True):
    """The goal may wake the idle loop from now on, or no more, and why (SPEC G2)."""

    goal: str
    armed: bool
    why: str


AnyRunEvent = (
    TurnBegan
    | InputEntered
    | InputDropped
    | MessageDelta
    | MessageEnded
    | AttemptFailed
    | UsageCounted
    | PermissionAsked
    | PermissionAnswered
    | ToolStarted
    | ToolProgress
    | ToolEnded
    | StepClosed
    | TurnOver
    | WentIdle
    | GoalChanged
    | GoalArmed
)

Subscriber = Callable[[AnyRunEvent], Awaitable[None] | None]
"""May be a plain or an async function. May speak to the agent, but must not wait for it to end a
turn: the turn waits for its subscribers."""


def told(event: AnyEvent) -> tuple[AnyRunEvent, ...]:
    """What consumers are told of a journalled event."""
    match event:
        case TurnStarted():
            return (TurnBegan(turn=event.turn),)
        case InputClaimed():
            return (InputEntered(id=event.id),)
        case InputDiscarded():
            return (InputDropped(id=event.id, reason=event.reason),)
        case AttemptEnded():
            return _attempt(event)
        case MessageCommitted():
            return (MessageEnded(attempt=event.attempt, message=event.message),)
        case CallStarted():
            return (
                ToolStarted(
                    call=event.call,
                    call_id=event.call_id,
                    tool=event.tool,
                    arguments=event.arguments,
                ),
            )
        case CallEnded() | CallNotExecuted():
            return (
                ToolEnded(
                    call=event.call,
                    call_id=event.call_id,
                    outcome=event.outcome if isinstance(event, CallEnded) else None,
                    code=event.code,
                    content=event.result.content,
                ),
            )
        case StepEnded():
            return (StepClosed(turn=event.turn, step=event.step, why=event.why),)
        case TurnEnded():
            return (
                TurnOver(
                    turn=event.turn,
                    end_reason=event.end_reason,
                    finish_reason=event.finish_reason,
                    error=event.error,
                ),
            )
        case GoalSet():
            return (GoalChanged(goal=event.goal, phase="active", reason=""),)
        case GoalMoved():
            return (GoalChanged(goal=event.goal, phase=event.phase, reason=event.reason),)
        case _:
            return ()


def _attempt(event: AttemptEnded) -> tuple[AnyRunEvent, ...]:
    seen: list[AnyRunEvent] = []
    if event.input_tokens or event.output_tokens:
        seen.append(
            UsageCounted(
                attempt=event.attempt,
                input_tokens=event.input_tokens,
                output_tokens=event.output_tokens,
                cached_tokens=event.cached_tokens,
            )
        )
    if event.state != "completed":
        seen.append(AttemptFailed(attempt=event.attempt, detail=event.detail))
    return tuple(seen)
