"""What a session owes: the reasons why an event that its phase would allow cannot be just now.

Each debt is a small function that gives the reason, or nothing where the event may come. `DEBTS` is
the table of which are asked of which event: an open call forbids the end of its step, a stop
forbids the start of a call, and nothing happens to a turn or step that is not the open one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from faultloop.loop.events import (
    AttemptEnded,
    AttemptStarted,
    CallEnded,
    CallNotExecuted,
    CallStarted,
    CancelRequested,
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
from faultloop.loop.goals import MOVES
from faultloop.loop.state import (
    CALL_STAGES,
    State,
)

CallMoved = CallStarted | CallEnded | CallNotExecuted


def _is_the_next_turn(state: State, event: TurnStarted) -> str:
    following = state.turn.number + 1
    return "" if event.turn == following else f"the next turn is {following}"


def _is_of_the_turn(
    state: State,
    event: InputClaimed
    | NoticeAdded
    | HeaderChanged
    | StepStarted
    | AttemptStarted
    | ItemCommitted
    | MessageCommitted
    | StepEnded
    | LimitReached
    | CancelRequested
    | HookFailed
    | TurnEnded,
) -> str:
    turn = state.turn.number
    if event.turn == turn:
        return ""
    return f"it belongs to turn {event.turn}, but turn {turn} is open"


def _is_of_the_step(
    state: State, event: AttemptStarted | ItemCommitted | MessageCommitted | StepEnded
) -> str:
    step = state.turn.step
    if event.step == step:
        return ""
    return f"it belongs to step {event.step}, but step {step} is open"


def _is_the_next_step(state: State, event: StepStarted) -> str:
    following = state.turn.step + 1
    return "" if event.step == following else f"the next step is {following}"


def _may_begin(
    state: State, event: StepStarted | AttemptStarted | ItemCommitted | CallStarted
) -> str:
    """After a stop the world may still be asked what became of things, and nothing else begins."""
    stop = state.turn.stop
    if stop is None or (isinstance(event, AttemptStarted) and event.of == "query"):
        return ""
    return f"the turn was stopped ({stop})"


def _is_queued(state: State, event: InputClaimed | InputDiscarded) -> str:
    return "" if state.inbox.has(event.id) else f"no input {event.id!r} is queued"


def _is_under_way(state: State, event: AttemptEnded) -> str:
    for attempt in state.turn.attempts:
        if attempt.attempt == event.attempt:
            return ""
    return f"no attempt {event.attempt!r} is under way"


def _nothing_is_under_way(state: State, event: HeaderChanged | StepEnded) -> str:
    return "an attempt is still under way" if state.turn.attempts else ""


def _model_is_silent(state: State, event: MessageCommitted) -> str:
    """Calls that were committed as items may still be running."""
    for attempt in state.turn.attempts:
        if attempt.of == "model":
            return "an attempt at the model is still under way"
    return ""


def _model_speaks(state: State, event: ItemCommitted) -> str:
    for attempt in state.turn.attempts:
        if attempt.of == "model" and attempt.attempt == event.attempt:
            return ""
    return f"no attempt {event.attempt!r} at the model is under way"


def _items_are_repeated(state: State, event: MessageCommitted) -> str:
    calls = event.message.calls
    for index, item in enumerate(state.turn.batch):
        call = calls[index] if index < len(calls) else None
        same = call is not None and (call.id, call.name) == (item.id, item.name)
        if call is None or not same or call.arguments != item.arguments:
            return f"it does not repeat the call that was committed as {item.call}"
    return ""


def _items_are_said(state: State, event: StepEnded) -> str:
    unsaid = state.phase == "asking" and state.turn.batch
    return "no message has the calls that were committed as items" if unsaid else ""


def _nothing_is_owed(state: State, event: StepEnded) -> str:
    owed = [record.call for record in state.turn.open_calls]
    return f"the model is owed the results of {', '.join(owed)}" if owed else ""


def _call_is_there(state: State, event: CallMoved) -> str:
    record = state.turn.record(event.call)
    if record is None:
        return f"the current step has no call {event.call}"
    wanted, _ = CALL_STAGES[type(event)]
    return "" if record.stage == wanted else f"call {event.call} is {record.stage}, not {wanted}"


def _order_is_whole(state: State, event: StepEnded) -> str:
    if not event.order:
        return ""
    calls = sorted(record.call for record in state.turn.batch)
    whole = sorted(event.order) == calls
    return "" if whole else "its order does not name each call of the batch once"


def _reply_was_whole(state: State, event: CallStarted) -> str:
    return "the reply that made the call was cut or broke off" if state.turn.truncated else ""


def _no_goal_is_active(state: State, event: GoalSet) -> str:
    goal = state.goal
    active = goal is not None and goal.phase == "active"
    return f"goal {goal.id!r} is still active" if goal is not None and active else ""


def _is_of_the_goal(state: State, event: GoalMoved | GoalRound) -> str:
    known = state.goal is not None and state.goal.id == event.goal
    return "" if known else f"the session has no goal {event.goal!r}"


def _goal_may_move(state: State, event: GoalMoved) -> str:
    goal = state.goal
    if goal is None or event.phase in MOVES[goal.phase]:
        return ""
    return f"a goal that is {goal.phase} cannot become {event.phase}"


def _round_may_begin(state: State, event: GoalRound) -> str:
    goal = state.goal
    if goal is None or goal.phase != "active":
        return f"goal {event.goal!r} is not active"
    if not goal.rounds_left:
        return f"goal {goal.id!r} has used up its {goal.rounds_max} rounds"
    return "" if event.round == goal.rounds + 1 else f"the next round is {goal.rounds + 1}"


Debt = Callable[[State, Any], str]
"""Of an event of the kinds that it stands beside in the table."""

DEBTS: Mapping[type[Event], tuple[Debt, ...]] = MappingProxyType(
    {
        InputQueued: (),
        InputDiscarded: (_is_queued,),
        TurnStarted: (_is_the_next_turn,),
        InputClaimed: (_is_of_the_turn, _is_queued),
        NoticeAdded: (_is_of_the_turn,),
        HeaderChanged: (_is_of_the_turn, _nothing_is_under_way),
        StepStarted: (_is_of_the_turn, _may_begin, _is_the_next_step),
        AttemptStarted: (_is_of_the_turn, _is_of_the_step, _may_begin),
        AttemptEnded: (_is_under_way,),
        ItemCommitted: (_is_of_the_turn, _is_of_the_step, _may_begin, _model_speaks),
        MessageCommitted: (
            _is_of_the_turn,
            _is_of_the_step,
            _model_is_silent,
            _items_are_repeated,
        ),
        CallStarted: (_call_is_there, _may_begin, _reply_was_whole),
        CallEnded: (_call_is_there,),
        CallNotExecuted: (_call_is_there,),
        StepEnded: (
            _is_of_the_turn,
            _is_of_the_step,
            _nothing_is_under_way,
            _nothing_is_owed,
            _items_are_said,
            _order_is_whole,
        ),
        LimitReached: (_is_of_the_turn,),
        CancelRequested: (_is_of_the_turn,),
        HookFailed: (_is_of_the_turn,),
        GoalSet: (_no_goal_is_active,),
        GoalMoved: (_is_of_the_goal, _goal_may_move),
        GoalRound: (_is_of_the_goal, _round_may_begin),
        TurnEnded: (_is_of_the_turn,),
    }
)
"""The first reason found is told."""
