"""What an event changes, once it is known that it may happen: one function a line of `CHANGES`.

Each is pure, from a state to the next. Whether the event may happen is not asked again here: see
`state.TRANSITIONS` and `debts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from faultloop.loop import inbox as inboxes
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
from faultloop.loop.goals import Goal
from faultloop.loop.message import Call, UserMessage
from faultloop.loop.providers.port import UsageDelta
from faultloop.loop.state import (
    CALL_STAGES,
    CallRecord,
    Phase,
    Ran,
    State,
    Turn,
)


def _queued(state: State, event: InputQueued, phase: Phase) -> State:
    inbox = inboxes.put(state.inbox, event, turn_is_open=phase != "idle")
    return replace(state, inbox=inbox)


def _discarded(state: State, event: InputDiscarded, phase: Phase) -> State:
    return replace(state, inbox=inboxes.take(state.inbox, event.id))


def _turn_started(state: State, event: TurnStarted, phase: Phase) -> State:
    goal = "" if state.goal is None else state.goal.id
    return replace(state, phase=phase, turn=Turn(number=event.turn, goal=goal))


def _claimed(state: State, event: InputClaimed, phase: Phase) -> State:
    item = next(item for item in state.inbox.items if item.input.id == event.id)
    text = item.input.text if event.text is None else event.text
    turn = state.turn
    return replace(
        state,
        inbox=inboxes.take(state.inbox, event.id),
        history=(*state.history, UserMessage(id=event.id, text=text)),
        turn=replace(
            turn,
            claimed=turn.claimed + 1,
            follow_up=item.follow_up if turn.claimed == 0 else turn.follow_up,
        ),
    )


def _notice_added(state: State, event: NoticeAdded, phase: Phase) -> State:
    return replace(state, untold=(), history=(*state.history, event.notice))


def _header_changed(state: State, event: HeaderChanged, phase: Phase) -> State:
    return replace(state, header=event.header)


def _nothing_changes(state: State, event: HookFailed, phase: Phase) -> State:
    return state


def _goal_set(state: State, event: GoalSet, phase: Phase) -> State:
    number = 1 if state.goal is None else state.goal.number + 1
    goal = Goal(id=event.goal, number=number, text=event.text, rounds_max=event.rounds_max)
    return replace(state, goal=goal)


def _goal_moved(state: State, event: GoalMoved, phase: Phase) -> State:
    goal = state.goal
    return state if goal is None else replace(state, goal=replace(goal, phase=event.phase))


def _goal_round(state: State, event: GoalRound, phase: Phase) -> State:
    goal, begun = state.goal, {"rounds": event.round, "waiting": event.input}
    return state if goal is None else replace(state, goal=replace(goal, **begun))


def _step_started(state: State, event: StepStarted, phase: Phase) -> State:
    turn = replace(state.turn, step=event.step, batch=(), closed=(), tries=0, truncated=False)
    return replace(state, phase=phase, turn=turn)


def _attempt_started(state: State, event: AttemptStarted, phase: Phase) -> State:
    turn = state.turn
    begun = replace(turn, attempts=(*turn.attempts, event), tries=turn.tries + 1)
    return replace(state, turn=begun)


def _attempt_ended(state: State, event: AttemptEnded, phase: Phase) -> State:
    turn = state.turn
    left = tuple([open_ for open_ in turn.attempts if open_.attempt != event.attempt])
    spent = turn.spent
    if event.input_tokens or event.output_tokens:  # a try at a tool uses up none
        spent = spent.charge(
            usage=UsageDelta(
                input_tokens=event.input_tokens,
                output_tokens=event.output_tokens,
                cached_tokens=event.cached_tokens,
            )
        )
    return replace(state, turn=replace(turn, attempts=left, spent=spent))


def _recorded(turn: Turn, index: int, call: Call) -> CallRecord:
    place = f"{turn.number}/{turn.step}/{index}"
    return CallRecord(call=place, id=call.id, name=call.name, arguments=call.arguments)


def _item_committed(state: State, event: ItemCommitted, phase: Phase) -> State:
    turn = state.turn
    batch = (*turn.batch, _recorded(turn, len(turn.batch), event.call))
    return replace(state, turn=replace(turn, batch=batch))


def _message_committed(state: State, event: MessageCommitted, phase: Phase) -> State:
    """The calls that were committed as items keep their records: some may have run."""
    turn, message = state.turn, event.message
    known = len(turn.batch)
    rest = [_recorded(turn, index, call) for index, call in enumerate(message.calls[known:], known)]
    batch = (*turn.batch, *rest)
    cut = message.truncated
    said = replace(
        turn,
        batch=batch,
        truncated=cut or bool(event.broken),
        broken=event.broken,
        cut_replies=turn.cut_replies + (cut and bool(batch)),
        text_cut=turn.text_cut or (cut and not batch),
        finish_reason=message.finish_reason,
        text=message.text or turn.text,
    )
    return replace(state, phase=phase, turn=said, history=(*state.history, message))


def _call_started(state: State, event: CallStarted, phase: Phase) -> State:
    _, stage = CALL_STAGES[CallStarted]
    batch = tuple(
        [
            replace(record, stage=stage, tool=event.tool, given=event.arguments, key=event.key)
            if record.call == event.call
            else record
            for record in state.turn.batch
        ]
    )
    return replace(state, turn=replace(state.turn, batch=batch))


def _call_closed(state: State, event: CallEnded | CallNotExecuted, phase: Phase) -> State:
    turn = state.turn
    closed = (*turn.closed, event.call)
    _, stage = CALL_STAGES[type(event)]
    batch = tuple(
        [
            replace(record, stage=stage, ended=event) if record.call == event.call else record
            for record in turn.batch
        ]
    )
    if isinstance(event, CallNotExecuted):
        denied = turn.denied or event.code == "DENIED"
        return replace(state, turn=replace(turn, batch=batch, closed=closed, denied=denied))
    ran = tuple(
        [Ran(one.call, one.id, one.tool, one.given) for one in batch if one.call == event.call]
    )
    return replace(state, turn=replace(turn, batch=batch, closed=closed, ran=turn.ran + ran))


def _step_ended(state: State, event: StepEnded, phase: Phase) -> State:
    """The batch is closed: its results enter the history together, in one order or another."""
    turn, places = state.turn, event.order
    batch = turn.batch
    if places:
        batch = tuple(sorted(batch, key=lambda record: places.index(record.call)))
    results = [record.ended.result for record in batch if record.ended is not None]
    cut_in = state.phase if event.why in ("cut", "failed") else turn.cut_in
    ended = replace(turn, why=event.why, cut_in=cut_in, error=event.error or turn.error)
    return replace(state, phase=phase, turn=ended, history=(*state.history, *results))


def _limit_reached(state: State, event: LimitReached, phase: Phase) -> State:
    return replace(state, turn=replace(state.turn, stop=state.turn.stop or event.limit))


def _cancel_requested(state: State, event: CancelRequested, phase: Phase) -> State:
    """Between two turns it stops what waits, and no turn."""
    turn = state.turn
    if phase != "idle":
        turn = replace(turn, stop=turn.stop or "aborted", cause=turn.cause or event.cause)
    return replace(state, turn=turn, inbox=inboxes.quieten(state.inbox, event.kept))


def _turn_ended(state: State, event: TurnEnded, phase: Phase) -> State:
    over = replace(state.turn, end_reason=event.end_reason, error=event.error)
    untold = state.untold if event.end_reason == "completed" else (*state.untold, over)
    return replace(state, phase=phase, turn=over, untold=untold)


Change = Callable[[State, Any, Phase], State]
"""By an event of the kind that it stands beside in the table, to the phase that it leads to."""

CHANGES: Mapping[type[Event], Change] = MappingProxyType(
    {
        InputQueued: _queued,
        InputDiscarded: _discarded,
        TurnStarted: _turn_started,
        InputClaimed: _claimed,
        NoticeAdded: _notice_added,
        HeaderChanged: _header_changed,
        StepStarted: _step_started,
        AttemptStarted: _attempt_started,
        AttemptEnded: _attempt_ended,
        ItemCommitted: _item_committed,
        MessageCommitted: _message_committed,
        CallStarted: _call_started,
        CallEnded: _call_closed,
        CallNotExecuted: _call_closed,
        StepEnded: _step_ended,
        LimitReached: _limit_reached,
        CancelRequested: _cancel_requested,
        HookFailed: _nothing_changes,
        GoalSet: _goal_set,
        GoalMoved: _goal_moved,
        GoalRound: _goal_round,
        TurnEnded: _turn_ended,
    }
)
