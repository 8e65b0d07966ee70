"""What follows from what happened: a signal and a state in, the facts to journal out.

The shell tells what it saw as a `Signal` ("a reply came", "the user cancelled", "the step is over,
what next?"); `decide` answers with events, which `evolving` then checks and folds. Nothing is
awaited, read or counted here. The greatest decision, whether a turn ends or goes on, has a module
of its own (`between`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from types import MappingProxyType
from typing import Any, Literal

from msgspec.structs import replace

from faultloop.loop import wording
from faultloop.loop.between import between, entering, headed
from faultloop.loop.events import (
    AnyEvent,
    AttemptEnded,
    AttemptStarted,
    CallEnded,
    CallNotExecuted,
    CallStarted,
    CancelRequested,
    GoalMoved,
    GoalRound,
    GoalSet,
    HookFailed,
    InputDiscarded,
    InputQueued,
    ItemCommitted,
    LimitReached,
    MessageCommitted,
    StepEnded,
    TurnStarted,
)
from faultloop.loop.message import AssistantMessage, Call, ResultMessage
from faultloop.loop.policy import Policy
from faultloop.loop.providers.port import UsageDelta
from faultloop.loop.signals import (
    Arrived,
    Between,
    CallBegan,
    CallOver,
    CallRefused,
    GoalGiven,
    GoalPut,
    Headed,
    HookBroken,
    ItemCame,
    LimitHit,
    Replied,
    RoundDropped,
    RoundDue,
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
    return DECISIONS[type(signal)](state, signal, policy)


def _woken(state: State, signal: Woken, policy: Policy) -> tuple[AnyEvent, ...]:
    return (TurnStarted(turn=state.turn.number + 1),)


def _arrived(state: State, signal: Arrived, policy: Policy) -> tuple[AnyEvent, ...]:
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


def _try_began(state: State, signal: TryBegan, policy: Policy) -> tuple[AnyEvent, ...]:
    stopped = state.turn.stop is not None and signal.of != "query"
    return () if stopped else (_attempt(state.turn, signal.of, signal.call),)


def _try_ended(state: State, signal: TryEnded, policy: Policy) -> tuple[AnyEvent, ...]:
    """A try at the model that came to nothing has said nothing, but for what is committed of it."""
    ended = _attempt_ended(signal.attempt, signal.state, signal.detail, signal.usage)
    if signal.attempt != model_attempt(state.turn):
        return (ended,)
    return (ended, *broken_off(state, signal.attempt, signal.detail or signal.state))


def model_attempt(turn: Turn) -> str | None:
    """The try at the model that is under way."""
    return next((one.attempt for one in turn.attempts if one.of == "model"), None)


def broken_off(state: State, attempt: str, why: str) -> tuple[AnyEvent, ...]:
    """The message of a reply that broke off after calls of it had been committed as items.

    Those calls have to stand in the history, for some have run; nothing else of the reply may
    (SPEC D5). Nothing at all where there are none.
    """
    turn = state.turn
    if state.phase != "asking" or not turn.batch:
        return ()
    calls = tuple(Call(id=one.id, name=one.name, arguments=one.arguments) for one in turn.batch)
    message = AssistantMessage(id=attempt, text="", calls=calls)
    return (
        MessageCommitted(
            turn=turn.number, step=turn.step, attempt=attempt, message=message, broken=why
        ),
    )


def _item_came(state: State, signal: ItemCame, policy: Policy) -> tuple[AnyEvent, ...]:
    """After a stop nothing may start, so there is nothing to commit before the message."""
    turn = state.turn
    if turn.stop is not None:
        return ()
    return (
        ItemCommitted(turn=turn.number, step=turn.step, attempt=signal.attempt, call=signal.call),
    )


def _as_kept(message: AssistantMessage, turn: Turn, policy: Policy) -> AssistantMessage:
    """What of a reply enters the history: all of it, unless policy drops the calls of a cut one.

    Those that were committed as items stay: some may have run.
    """
    if message.truncated and message.calls and policy.truncation == "drop":
        return replace(message, calls=message.calls[: len(turn.batch)])
    return message


def _replied(state: State, signal: Replied, policy: Policy) -> tuple[AnyEvent, ...]:
    """The message, once and whole (SPEC D1), after the attempt that it came from (SPEC D5)."""
    turn = state.turn
    message = _as_kept(signal.message, turn, policy)
    committed = MessageCommitted(
        turn=turn.number, step=turn.step, attempt=signal.attempt, message=message
    )
    return (_attempt_ended(signal.attempt, "completed", "", signal.usage), committed)


def _step_over(state: State, signal: StepOver, policy: Policy) -> tuple[AnyEvent, ...]:
    turn = state.turn
    why: Literal["owes_request", "input_waiting", "done", "cut", "failed"]
    if signal.error:
        why = "failed"
    elif turn.stop:
        why = "cut"
    elif turn.batch and not concluded(turn, policy):
        why = "owes_request"
    elif entering(state, policy, turn_begins=False):
        why = "input_waiting"
    else:
        why = "done"
    order = _by_completion(turn) if policy.result_order == "completion" else ()
    return (StepEnded(turn=turn.number, step=turn.step, why=why, error=signal.error, order=order),)


def _by_completion(turn: Turn) -> tuple[str, ...]:
    """The batch's calls in the order in which they were closed, run or not."""
    places = tuple(record.call for record in turn.batch)
    return () if turn.closed == places else turn.closed


def concluded(turn: Turn, policy: Policy) -> bool:
    """Whether the batch's results make the model's revisit needless (SPEC L8).

    Those of a reply that was cut or broke off do not: the model was not done speaking.
    """
    if turn.truncated:
        return False
    said = [isinstance(one.ended, CallEnded) and one.ended.concludes for one in turn.batch]
    return any(said) if policy.conclude == "any" else bool(said) and all(said)


def _headed(state: State, signal: Headed, policy: Policy) -> tuple[AnyEvent, ...]:
    return headed(state, signal.header)


def _hook_broken(state: State, signal: HookBroken, policy: Policy) -> tuple[AnyEvent, ...]:
    turn = state.turn.number
    return (HookFailed(turn=turn, point=signal.point, hook=signal.hook, error=signal.error),)


def _goal_given(state: State, signal: GoalGiven, policy: Policy) -> tuple[AnyEvent, ...]:
    number = 1 if state.goal is None else state.goal.number + 1
    name = f"{signal.prefix}{number}"
    return (GoalSet(goal=name, text=signal.text, rounds_max=signal.rounds_max),)


def _goal_put(state: State, signal: GoalPut, policy: Policy) -> tuple[AnyEvent, ...]:
    """A phase that the goal already has changes nothing; a round that waits goes with the goal."""
    goal = state.goal
    if goal is not None and (goal.id, goal.phase) == (signal.goal, signal.phase):
        return ()
    moved = GoalMoved(goal=signal.goal, phase=signal.phase, reason=signal.reason)
    dropped = RoundDropped(reason=f"the goal is {signal.phase}")
    return (moved, *_round_dropped(state, dropped, policy))


def _round_due(state: State, signal: RoundDue, policy: Policy) -> tuple[AnyEvent, ...]:
    goal = state.goal
    if goal is None:
        return ()
    number = goal.rounds + 1
    name = f"{goal.id}/round/{number}"
    text = wording.goal_round(goal.text, number, goal.rounds_max)
    return (
        GoalRound(goal=goal.id, round=number, input=name),
        InputQueued(id=name, lane="next_turn", source="system", text=text),
    )


def _round_dropped(state: State, signal: RoundDropped, policy: Policy) -> tuple[AnyEvent, ...]:
    goal = state.goal
    if goal is None or not state.inbox.has(goal.waiting):
        return ()
    return (InputDiscarded(id=goal.waiting, reason=signal.reason),)


def _call_began(state: State, signal: CallBegan, policy: Policy) -> tuple[AnyEvent, ...]:
    """Where calls start before their message, it may turn out cut a moment before this one does."""
    record = signal.record
    if policy.starts == "each_item" and (state.turn.stop or state.turn.truncated):
        return ()
    attempt = _attempt(state.turn, "tool", record.call)
    started = CallStarted(
        call=record.call,
        call_id=record.id,
        attempt=attempt.attempt,
        tool=signal.tool,
        arguments=signal.given,
        key=signal.key,
    )
    return (attempt, started)


def _call_over(state: State, signal: CallOver, policy: Policy) -> tuple[AnyEvent, ...]:
    return call_over(signal)


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
        concludes=signal.concludes and signal.outcome == "ok",
        result=ResultMessage(call_id=record.id, content=signal.content, ok=signal.outcome == "ok"),
    )
    if signal.attempt is None:
        return (ended,)
    state: Literal["completed", "failed"] = "completed" if signal.outcome == "ok" else "failed"
    return (_attempt_ended(signal.attempt, state, signal.code), ended)


def _call_refused(state: State, signal: CallRefused, policy: Policy) -> tuple[AnyEvent, ...]:
    return (not_executed(signal.record, signal.code, signal.content),)


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


def _limit_hit(state: State, signal: LimitHit, policy: Policy) -> tuple[AnyEvent, ...]:
    late = state.turn.stop is not None or state.phase == "idle"
    return () if late else (LimitReached(turn=state.turn.number, limit=signal.limit),)


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


Deciding = Callable[[State, Any, Policy], tuple[AnyEvent, ...]]
"""On a signal of the kind that it stands beside in the table."""

DECISIONS: Mapping[type[Signal], Deciding] = MappingProxyType(
    {
        Arrived: _arrived,
        Woken: _woken,
        Between: between,
        Headed: _headed,
        HookBroken: _hook_broken,
        GoalGiven: _goal_given,
        GoalPut: _goal_put,
        RoundDue: _round_due,
        RoundDropped: _round_dropped,
        TryBegan: _try_began,
        TryEnded: _try_ended,
        ItemCame: _item_came,
        Replied: _replied,
        StepOver: _step_over,
        CallBegan: _call_began,
        CallOver: _call_over,
        CallRefused: _call_refused,
        Stopped: _stopped,
        LimitHit: _limit_hit,
    }
)
