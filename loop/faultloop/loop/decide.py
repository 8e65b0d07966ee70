"""What follows from what happened: a signal and a state in, the facts to journal out.

The shell tells what it saw as a `Signal` ("a reply came", "the user cancelled", "the step is over,
what next?"); `decide` answers with events, which `state.evolve` then checks and folds. Nothing is
awaited, read or counted here. The heart is `ENDS`: the table of reasons for which a turn ends, read
from the top whenever a turn stands between two steps. The first line that holds gives the reason;
if none holds, the turn goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Literal, NamedTuple, assert_never

from msgspec.structs import replace

from faultloop.loop import wording
from faultloop.loop.events import (
    AnyEvent,
    AttemptEnded,
    AttemptStarted,
    CallEnded,
    CallNotExecuted,
    CallStarted,
    CancelRequested,
    EndReason,
    HeaderChanged,
    InputClaimed,
    InputDiscarded,
    InputQueued,
    LimitReached,
    MessageCommitted,
    NoticeAdded,
    StepEnded,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.header import Header, changes
from faultloop.loop.inbox import Item, claimable
from faultloop.loop.message import Notice, ResultMessage
from faultloop.loop.policy import Policy
from faultloop.loop.providers.port import UsageDelta
from faultloop.loop.signals import (
    Arrived,
    Between,
    CallBegan,
    CallOver,
    CallRefused,
    LimitHit,
    Replied,
    Signal,
    StepOver,
    Stopped,
    TryBegan,
    TryEnded,
    Woken,
)
from faultloop.loop.state import CallRecord, State, Turn

FORBIDDING = {"length": "TRUNCATED", "content_filter": "BLOCKED"}
"""Finish reasons of a reply that is not whole: none of its calls may run (SPEC P1). Every other
finish reason is ignored: complete call items decide (SPEC P11)."""


def decide(state: State, signal: Signal, policy: Policy) -> tuple[AnyEvent, ...]:
    """The events that follow from this signal, in their order; none where it changes nothing."""
    turn = state.turn
    match signal:
        case TryBegan():
            stopped = turn.stop is not None and signal.of != "query"
            return () if stopped else (_attempt(turn, signal.of, signal.call),)
        case TryEnded():
            return (_attempt_ended(signal.attempt, signal.state, signal.detail, signal.usage),)
        case CallBegan():
            return _call_began(turn, signal)
        case CallOver():
            return call_over(signal)
        case Arrived():
            return _arrived(state, signal)
        case Woken():
            return (TurnStarted(turn=turn.number + 1),)
        case Between():
            return _between(state, policy, signal)
        case Replied():
            return _replied(turn, signal)
        case StepOver():
            return (_step_over(state, signal, policy),)
        case CallRefused():
            return (not_executed(signal.record, signal.code, signal.content),)
        case Stopped():
            return _stopped(state, signal, policy)
        case LimitHit():
            late = turn.stop is not None or state.phase == "idle"
            return () if late else (LimitReached(turn=turn.number, limit=signal.limit),)
        case _:
            assert_never(signal)


# --- how a turn ends --------------------------------------------------------------------------


class End(NamedTuple):
    """One line of the table."""

    says: str
    holds: Callable[[Turn, Policy, bool], bool]
    """Of the turn, the policy, and whether the model is owed another request."""
    reason: EndReason


def _cut_too_often(turn: Turn, policy: Policy) -> bool:
    allowed = policy.truncation_answers_max if policy.truncation == "answer" else 0
    return turn.cut_replies > allowed


def _used_up(turn: Turn, policy: Policy) -> EndReason | None:
    return policy.budget.hit(replace(turn.spent, steps=turn.step))


ENDS: tuple[End, ...] = (
    End("it was cancelled", lambda t, p, _: t.stop == "aborted", "aborted"),
    End("its time is up", lambda t, p, _: t.stop == "timeout", "timeout"),
    End("a step failed", lambda t, p, _: bool(t.error), "error"),
    End(
        "the provider withheld the reply",
        lambda t, p, _: t.finish_reason == "content_filter",
        "blocked",
    ),
    End("permission was denied", lambda t, p, _: t.denied and p.denied == "block", "blocked"),
    End(
        "a reply was cut, and policy takes that as a failure",
        lambda t, p, _: p.truncation == "fail" and (t.text_cut or t.cut_replies > 0),
        "error",
    ),
    End("replies were cut too often", lambda t, p, _: _cut_too_often(t, p), "max_tokens"),
    End(
        "nothing is owed, but text was cut",
        lambda t, p, owes: not owes and t.text_cut,
        "max_tokens",
    ),
    End("nothing is owed", lambda t, p, owes: not owes, "completed"),
    End("its steps are used up", lambda t, p, _: _used_up(t, p) == "max_steps", "max_steps"),
    End("its tokens are used up", lambda t, p, _: _used_up(t, p) == "token_budget", "token_budget"),
    End("its budget is used up", lambda t, p, _: _used_up(t, p) == "cost_budget", "cost_budget"),
)
"""Read from the top; the first line that holds gives the end reason (SPEC L11). A limit stands
below "nothing is owed": a turn that finishes on its last step did finish."""


def end_of(turn: Turn, policy: Policy, *, owes: bool) -> EndReason | None:
    """Why the turn ends now, or None if it goes on."""
    return next((end.reason for end in ENDS if end.holds(turn, policy, owes)), None)


def _between(state: State, policy: Policy, signal: Between) -> tuple[AnyEvent, ...]:
    """End the turn, or let waiting input in and begin its next step."""
    turn = state.turn
    begins = turn.step == 0
    waiting = _claimable(state, policy, turn_begins=begins)
    owes = bool(waiting) or turn.why == "owes_request" or (begins and signal.resume)
    reason = end_of(turn, policy, owes=owes)
    if reason is not None:
        return (_turn_ended(turn, reason),)
    step = StepStarted(
        turn=turn.number, step=turn.step + 1, cause=_cause(turn, waiting, begins=begins)
    )
    claims = (InputClaimed(turn=turn.number, id=item.input.id) for item in waiting)
    return (*_header(state, signal.header), *_notices(state, signal), *claims, step)


def _claimable(state: State, policy: Policy, *, turn_begins: bool) -> tuple[Item, ...]:
    return claimable(
        state.inbox,
        turn_begins=turn_begins,
        steering=policy.steering_claims,
        follow_ups=policy.follow_up_claims,
    )


def _header(state: State, header: Header | None) -> tuple[AnyEvent, ...]:
    """The next request's header, where it is not the last one's (SPEC L16)."""
    changed = () if header is None else changes(state.header, header)
    if header is None or not changed:
        return ()
    return (HeaderChanged(turn=state.turn.number, changed=changed, header=header),)


def _notices(state: State, signal: Between) -> tuple[AnyEvent, ...]:
    """What the model has not been told yet of turns that were cut (SPEC X3)."""
    told = [notice for turn in state.untold if (notice := wording.cut_notice(turn))]
    if signal.resume:
        told.append(wording.GO_ON)
    if not told:
        return ()
    return (NoticeAdded(turn=state.turn.number, notice=Notice(text=" ".join(told))),)


def _cause(
    turn: Turn, waiting: tuple[Item, ...], *, begins: bool
) -> Literal["input", "results", "steer", "follow_up", "resume"]:
    if not waiting:
        return "resume" if begins else "results"
    if not begins:
        return "results" if turn.why == "owes_request" else "steer"
    first = next((item for item in waiting if item.input.lane == "next_turn"), None)
    if first is None:
        return "steer"
    return "follow_up" if first.follow_up else "input"


def _turn_ended(turn: Turn, reason: EndReason) -> TurnEnded:
    cut = reason == "error" and not turn.error
    return TurnEnded(
        turn=turn.number,
        end_reason=reason,
        finish_reason=turn.finish_reason,
        error="the reply was cut at its length limit" if cut else turn.error,
    )


# --- the other decisions ----------------------------------------------------------------------


def _arrived(state: State, signal: Arrived) -> tuple[AnyEvent, ...]:
    seen = state.inbox.seen
    if signal.id is not None and signal.id in seen:
        return ()
    return (
        InputQueued(
            id=_unused(seen, signal.prefix) if signal.id is None else signal.id,
            lane=signal.lane,
            source=signal.source,
            text=signal.text,
            wakes=signal.wakes,
        ),
    )


def _unused(seen: frozenset[str], prefix: str) -> str:
    """The next id that nobody has taken, a host's own included."""
    numbers = count(len(seen) + 1)
    return next(name for number in numbers if (name := f"{prefix}{number}") not in seen)


def _replied(turn: Turn, signal: Replied) -> tuple[AnyEvent, ...]:
    """The message, once and whole (SPEC D1), after the attempt that it came from (SPEC D5)."""
    committed = MessageCommitted(
        turn=turn.number, step=turn.step, attempt=signal.attempt, message=signal.message
    )
    return (_attempt_ended(signal.attempt, "completed", "", signal.usage), committed)


def _step_over(state: State, signal: StepOver, policy: Policy) -> StepEnded:
    turn = state.turn
    why: Literal["owes_request", "input_waiting", "done", "cut", "failed"]
    if signal.error:
        why = "failed"
    elif turn.stop:
        why = "cut"
    elif turn.batch:
        why = "owes_request"
    elif _claimable(state, policy, turn_begins=False):
        why = "input_waiting"
    else:
        why = "done"
    return StepEnded(turn=turn.number, step=turn.step, why=why, error=signal.error)


def _call_began(turn: Turn, signal: CallBegan) -> tuple[AnyEvent, ...]:
    record = signal.record
    attempt = _attempt(turn, "tool", record.call)
    started = CallStarted(
        call=record.call,
        call_id=record.id,
        attempt=attempt.attempt,
        tool=signal.tool,
        arguments=signal.given,
        key=signal.key,
    )
    return (attempt, started)


def call_over(signal: CallOver) -> tuple[AnyEvent, ...]:
    """Close a call that ran, and its last try with it."""
    record = signal.record
    ended = CallEnded(
        call=record.call,
        call_id=record.id,
        outcome=signal.outcome,
        code=signal.code,
        truncated=signal.truncated,
        continuation=signal.continuation,
        repairs=signal.repairs,
        concludes=signal.concludes,
        result=ResultMessage(call_id=record.id, content=signal.content, ok=signal.outcome == "ok"),
    )
    if signal.attempt is None:
        return (ended,)
    state: Literal["completed", "failed"] = "completed" if signal.outcome == "ok" else "failed"
    return (_attempt_ended(signal.attempt, state, signal.code), ended)


def not_executed(record: CallRecord, code: str, content: str = "") -> CallNotExecuted:
    """Close a call that never ran, in the table's words unless there are better ones."""
    return CallNotExecuted(
        call=record.call,
        call_id=record.id,
        code=code,
        result=ResultMessage(
            call_id=record.id, content=content or wording.not_executed(code), ok=False
        ),
    )


def _stopped(state: State, signal: Stopped, policy: Policy) -> tuple[AnyEvent, ...]:
    """It stops the open turn and what was queued; between two turns, the latter alone (SPEC X4)."""
    if state.turn.stop and state.phase != "idle":
        return ()
    queued = tuple(name for name in signal.queued if state.inbox.has(name))
    keep = policy.queue_on_cancel == "keep"
    request = CancelRequested(
        turn=state.turn.number,
        cause=signal.cause,
        reason=signal.reason,
        kept=queued if keep else (),
    )
    if keep:
        return (request,)
    return (request, *(InputDiscarded(id=name, reason="cancelled") for name in queued))


def _attempt(turn: Turn, of: Literal["model", "tool", "query"], call: str | None) -> AttemptStarted:
    number = turn.tries + 1
    return AttemptStarted(
        attempt=f"{turn.number}/{turn.step}/{number}",
        of=of,
        turn=turn.number,
        step=turn.step,
        call=call,
    )


def _attempt_ended(
    attempt: str,
    state: Literal["completed", "failed", "interrupted"],
    detail: str = "",
    usage: UsageDelta | None = None,
) -> AttemptEnded:
    if usage is None:
        return AttemptEnded(attempt=attempt, state=state, detail=detail)
    return AttemptEnded(
        attempt=attempt,
        state=state,
        detail=detail,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_tokens=usage.cached_tokens,
        estimated=usage.estimated,
    )
