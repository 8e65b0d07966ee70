"""Between two steps: does the turn end here, and if not, what enters before it goes on?

The heart is `ENDS`: the table of reasons for which a turn ends, read from the top. The first line
that holds gives the reason; if none holds, the turn goes on with a step, and `between` says what
enters before it, what the step rests on, and what the model is told of turns that were cut. Hooks
that want to know beforehand what would happen ask `outlook`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from faultloop.loop import wording
from faultloop.loop.budget import BudgetReason
from faultloop.loop.events import (
    AnyEvent,
    EndReason,
    HeaderChanged,
    InputClaimed,
    InputDiscarded,
    NoticeAdded,
    StepStarted,
    TurnEnded,
)
from faultloop.loop.header import Header, changes
from faultloop.loop.inbox import Item, claimable
from faultloop.loop.message import Notice
from faultloop.loop.policy import Policy
from faultloop.loop.signals import Between
from faultloop.loop.state import State, Turn


class End(NamedTuple):
    """One line of the table."""

    says: str
    holds: Callable[[Turn, Policy, bool], bool]
    """Of the turn, the policy, and whether the model is owed another request."""
    reason: EndReason


def _cut_too_often(turn: Turn, policy: Policy) -> bool:
    allowed = policy.truncation_answers_max if policy.truncation == "answer" else 0
    return turn.cut_replies > allowed


def _is_used_up(reason: BudgetReason, turn: Turn, policy: Policy) -> bool:
    return policy.budget.is_used_up(reason, replace(turn.spent, steps=turn.step))


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
    End(
        "its steps are used up, and policy takes that as a failure",
        lambda t, p, _: p.steps_used_up == "error" and _is_used_up("max_steps", t, p),
        "error",
    ),
    End("its steps are used up", lambda t, p, _: _is_used_up("max_steps", t, p), "max_steps"),
    End(
        "its tokens are used up", lambda t, p, _: _is_used_up("token_budget", t, p), "token_budget"
    ),
    End("its budget is used up", lambda t, p, _: _is_used_up("cost_budget", t, p), "cost_budget"),
)
"""Read from the top; the first line that holds gives the end reason (SPEC L11). A limit stands
below "nothing is owed": a turn that finishes on its last step did finish."""


def end_of(turn: Turn, policy: Policy, *, owes: bool) -> EndReason | None:
    """Why the turn ends now, or None if it goes on."""
    for end in ENDS:
        if end.holds(turn, policy, owes):
            return end.reason
    return None


class Outlook(NamedTuple):
    """What a turn that stands between two steps would do next."""

    reason: EndReason | None
    """Why it would end; None: it goes on."""
    waiting: tuple[Item, ...]
    """The input that would enter before its next step."""


def outlook(state: State, policy: Policy, *, resume: bool) -> Outlook:
    """What would come next if nothing else happened, for hooks to be asked about it."""
    turn = state.turn
    begins = turn.step == 0
    waiting = entering(state, policy, turn_begins=begins)
    return Outlook(_end(turn, policy, waiting, resume=resume), waiting)


def could_go_on(state: State, policy: Policy, *, resume: bool) -> bool:
    """Whether the turn would end here but for a message that came now (SPEC L7)."""
    would_end = outlook(state, policy, resume=resume).reason is not None
    return state.turn.step > 0 and would_end and end_of(state.turn, policy, owes=True) is None


def _end(turn: Turn, policy: Policy, let_in: Sequence[Item], *, resume: bool) -> EndReason | None:
    begins = turn.step == 0
    owes = bool(let_in) or turn.why == "owes_request" or (begins and resume)
    return end_of(turn, policy, owes=owes)


def between(state: State, signal: Between, policy: Policy) -> tuple[AnyEvent, ...]:
    """End the turn, or let waiting input in and begin its next step."""
    turn = state.turn
    begins = turn.step == 0
    reason, waiting = outlook(state, policy, resume=signal.resume)
    if reason is not None:
        return (_turn_ended(turn, reason),)
    asked = waiting
    if signal.entering is not None:
        asked = tuple(item for item in waiting if item.input.id in signal.entering)
    if signal.broken:
        return (*_discarded(asked, signal.broken), _turn_ended(turn, "error", signal.broken))
    if signal.rejected is not None:
        return (
            *_discarded(asked, signal.rejected),
            _turn_ended(turn, "blocked", signal.rejected),
        )
    let_in, entered = _let_in(turn, asked, signal)
    if waiting and not let_in:  # the outlook had counted on input
        reason = _end(turn, policy, let_in, resume=signal.resume)
    if reason is not None:
        return (*entered, _turn_ended(turn, reason))
    step = StepStarted(
        turn=turn.number,
        step=turn.step + 1,
        cause=_cause(state, let_in, begins=begins),
        basis=_basis(turn, let_in),
    )
    return (*headed(state, signal.header), *_notices(state, signal), *entered, step)


def _let_in(
    turn: Turn, asked: Sequence[Item], signal: Between
) -> tuple[Sequence[Item], Sequence[AnyEvent]]:
    """Which input enters, and what is to be journalled of it: first what a hook has emptied."""
    let_in: list[Item] = []
    emptied: list[Item] = []
    claims: list[AnyEvent] = []
    for item in asked:
        text = _text(item, signal)
        if text == "":
            emptied.append(item)
        else:
            let_in.append(item)
            claims.append(InputClaimed(turn=turn.number, id=item.input.id, text=text))
    return let_in, (*_discarded(emptied, "a hook emptied it"), *claims)


def _text(item: Item, signal: Between) -> str | None:
    """What enters in an input's place; None: itself."""
    text = None if signal.entering is None else signal.entering[item.input.id]
    return None if text == item.input.text else text


def _discarded(items: Sequence[Item], reason: str) -> tuple[AnyEvent, ...]:
    return tuple(InputDiscarded(id=item.input.id, reason=reason) for item in items)


def _basis(turn: Turn, let_in: Sequence[Item]) -> tuple[str, ...]:
    """What the next step rests on (SPEC L7): a debt to tools, and the input that enters."""
    owed = turn.batch if turn.why == "owes_request" else ()
    return (*(record.call for record in owed), *(item.input.id for item in let_in))


def entering(state: State, policy: Policy, *, turn_begins: bool) -> tuple[Item, ...]:
    """The input that waits and may enter now."""
    return claimable(
        state.inbox,
        turn_begins=turn_begins,
        steering=policy.steering_claims,
        follow_ups=policy.follow_up_claims,
    )


def headed(state: State, header: Header | None) -> tuple[AnyEvent, ...]:
    """The next request's header, where it is not the last one's (SPEC L16)."""
    if header is None or header == state.header or not (changed := changes(state.header, header)):
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
    state: State, waiting: Sequence[Item], *, begins: bool
) -> Literal["input", "results", "steer", "follow_up", "resume", "goal"]:
    turn, goal = state.turn, state.goal
    if not waiting:
        return "resume" if begins else "results"
    if not begins:
        return "results" if turn.why == "owes_request" else "steer"
    first = next((item for item in waiting if item.input.lane == "next_turn"), None)
    if first is None:
        return "steer"
    if goal is not None and first.input.id == goal.waiting:
        return "goal"
    return "follow_up" if first.follow_up else "input"


def _turn_ended(turn: Turn, reason: EndReason, error: str = "") -> TurnEnded:
    error = error or turn.error
    if reason == "error" and not error:
        cut = turn.text_cut or turn.cut_replies > 0
        error = "the reply was cut at its length limit" if cut else "the turn's steps are used up"
    return TurnEnded(
        turn=turn.number, end_reason=reason, finish_reason=turn.finish_reason, error=error
    )
