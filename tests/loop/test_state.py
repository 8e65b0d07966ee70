"""The table: legal steps work, illegal ones fail and change nothing, debts are never forgotten."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from faultloop.loop import state as table
from faultloop.loop.between import ENDS, end_of
from faultloop.loop.changes import CHANGES
from faultloop.loop.debts import DEBTS
from faultloop.loop.decide import DECISIONS, decide
from faultloop.loop.events import (
    AnyEvent,
    AttemptEnded,
    AttemptStarted,
    CallEnded,
    CallNotExecuted,
    CallStarted,
    CancelRequested,
    EndReason,
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
from faultloop.loop.evolving import IllegalEvent, evolve, replay
from faultloop.loop.message import AssistantMessage, Call, Notice, ResultMessage, UserMessage
from faultloop.loop.policy import REFERENCE
from faultloop.loop.signals import (
    Signal,
    TryEnded,
)
from faultloop.loop.state import (
    ALWAYS,
    TRANSITIONS,
    State,
    Turn,
)

# --- a story, event by event ------------------------------------------------------------------

MESSAGE = AssistantMessage(
    id="m",
    text="",
    calls=(Call(id="a", name="act", arguments="{}"), Call(id="b", name="act", arguments="{}")),
    finish_reason="tool_calls",
)


def result(call_id: str, content: str = "done") -> ResultMessage:
    return ResultMessage(call_id=call_id, content=content, ok=True)


QUEUED = InputQueued(id="i", lane="next_turn", source="user", text="go")
TURN = TurnStarted(turn=1)
CLAIMED = InputClaimed(turn=1, id="i")
STEP = StepStarted(turn=1, step=1, cause="input")
TRY = AttemptStarted(attempt="1/1/1", of="model", turn=1, step=1)
TRIED = AttemptEnded(attempt="1/1/1", state="completed")
SAID = MessageCommitted(turn=1, step=1, attempt="1/1/1", message=MESSAGE)
BEGAN = CallStarted(call="1/1/0", call_id="a", attempt="1/1/2", tool="act", arguments="{}", key="k")
ENDED = CallEnded(call="1/1/0", call_id="a", outcome="ok", result=result("a"))
REFUSED = CallNotExecuted(call="1/1/1", call_id="b", code="DENIED", result=result("b", "no"))
STEP_OVER = StepEnded(turn=1, step=1, why="owes_request")
TURN_OVER = TurnEnded(turn=1, end_reason="max_steps")
CANCELLED = CancelRequested(turn=1, cause="user")

STORY: list[AnyEvent] = [
    *(QUEUED, TURN, CLAIMED, STEP, TRY, TRIED, SAID, BEGAN, ENDED, REFUSED, STEP_OVER, TURN_OVER),
]


def after(*events: AnyEvent) -> State:
    return replay(events)


def upto(last: AnyEvent) -> State:
    return after(*STORY[: STORY.index(last) + 1])


def test_a_whole_story_is_legal_and_goes_through_every_phase() -> None:
    phases = [replay(STORY[:n]).phase for n in range(len(STORY) + 1)]
    assert phases == [
        *("idle", "idle", "ready", "ready", "asking", "asking", "asking"),
        *("acting", "acting", "acting", "acting", "ready", "idle"),
    ]


def test_results_enter_the_history_in_the_models_order_when_the_step_closes() -> None:
    second = CallStarted(
        call="1/1/1", call_id="b", attempt="1/1/3", tool="act", arguments="{}", key="k"
    )
    over = CallEnded(call="1/1/1", call_id="b", outcome="ok", result=result("b"))
    state = after(*STORY[:7], BEGAN, second, over, ENDED)
    user = UserMessage(id="i", text="go")
    assert state.history == (user, MESSAGE)
    assert evolve(state, STEP_OVER).history == (user, MESSAGE, result("a"), result("b"))


def call_started(call: str) -> CallStarted:
    return CallStarted(call=call, call_id="x", attempt="t", tool="act", arguments="{}", key="k")


def not_executed(call: str) -> CallNotExecuted:
    return CallNotExecuted(call=call, call_id="x", code="DENIED", result=result("x"))


CUT = MessageCommitted(
    turn=1,
    step=1,
    attempt="1/1/1",
    message=AssistantMessage(id="m", text="", calls=MESSAGE.calls, truncated=True),
)

ITEM = ItemCommitted(turn=1, step=1, attempt="1/1/1", call=MESSAGE.calls[0])
OTHER = ItemCommitted(
    turn=1, step=1, attempt="1/1/1", call=Call(id="a", name="act", arguments='{"x": 1}')
)


def test_a_call_that_was_committed_as_an_item_runs_while_the_reply_still_comes() -> None:
    state = after(*STORY[:5], ITEM, BEGAN, ENDED)
    assert (state.phase, [one.stage for one in state.turn.batch]) == ("asking", ["completed"])
    said = replay([TRIED, SAID], state)
    assert [one.stage for one in said.turn.batch] == ["completed", "queued"]
    closed = replay([REFUSED, STEP_OVER], said)
    assert closed.history == after(*STORY[:-1]).history


def test_a_try_that_fails_after_an_item_leaves_a_message_of_the_item_alone() -> None:
    state = after(*STORY[:5], ITEM, BEGAN)
    events = decide(state, TryEnded(attempt="1/1/1", state="failed", detail="reset"), REFERENCE)
    assert [type(event) for event in events] == [AttemptEnded, MessageCommitted]
    broken = replay(events, state)
    assert (broken.phase, broken.turn.broken) == ("acting", "reset")
    (message,) = (m for m in broken.history if isinstance(m, AssistantMessage))
    assert (message.text, message.calls) == ("", MESSAGE.calls[:1])


ILLEGAL = {
    "an item outside a step": (upto(CLAIMED), ITEM),
    "an item that no try brought": (upto(STEP), ITEM),
    "an item of another try": (after(*STORY[:4], msgspec.structs.replace(TRY, attempt="x")), ITEM),
    "an item after a cancel": (after(*STORY[:5], CANCELLED), ITEM),
    "an item after its message": (upto(SAID), ITEM),
    "the start of a call that is no item yet": (upto(TRY), BEGAN),
    "a message without the call that was committed before it": (
        after(*STORY[:5], OTHER, TRIED),
        SAID,
    ),
    "the end of a step whose items no message has": (
        after(*STORY[:5], ITEM, not_executed("1/1/0"), TRIED),
        STEP_OVER,
    ),
    "a turn before the last is over": (upto(TURN), TurnStarted(turn=2)),
    "a turn out of number": (State(), TurnStarted(turn=2)),
    "the end of a turn that is not open": (State(), TURN_OVER),
    "the end of another turn": (upto(TURN), TurnEnded(turn=7, end_reason="error")),
    "the end of a turn in the middle of a step": (upto(STEP), TURN_OVER),
    "a claim of what is not queued": (upto(TURN), InputClaimed(turn=1, id="x")),
    "a discard of what is not queued": (State(), InputDiscarded(id="x", reason="")),
    "a claim in the middle of a step": (after(QUEUED, TURN, STEP), CLAIMED),
    "a second claim": (upto(CLAIMED), CLAIMED),
    "a step out of number": (upto(CLAIMED), StepStarted(turn=1, step=2, cause="input")),
    "a step after a cancel": (after(TURN, CANCELLED), STEP),
    "a step after a limit": (after(TURN, LimitReached(turn=1, limit="timeout")), STEP),
    "a try after a cancel": (after(TURN, STEP, CANCELLED), TRY),
    "the end of a try that never was": (upto(STEP), TRIED),
    "a try of another step": (
        upto(STEP),
        AttemptStarted(attempt="1/2/1", of="model", turn=1, step=2),
    ),
    "the end of another step": (upto(REFUSED), StepEnded(turn=1, step=2, why="done")),
    "a message while a try is open": (upto(TRY), SAID),
    "a message outside a step": (upto(CLAIMED), SAID),
    "a second message in one step": (upto(SAID), SAID),
    "a notice in the middle of a step": (upto(STEP), NoticeAdded(turn=1, notice=Notice(text=""))),
    "a call that the message does not have": (upto(SAID), call_started("1/1/2")),
    "a call a second time": (upto(BEGAN), BEGAN),
    "a call after a cancel": (after(*STORY[:7], CANCELLED), BEGAN),
    "a call of a reply that was cut": (after(*STORY[:6], CUT), BEGAN),
    "a result before the start": (upto(SAID), ENDED),
    "a second result": (upto(ENDED), ENDED),
    "'not executed' of a call that started": (upto(BEGAN), not_executed("1/1/0")),
    "the start of a call that was refused": (upto(REFUSED), call_started("1/1/1")),
    "the end of a step that owes results": (upto(ENDED), STEP_OVER),
    "the end of a step with a try open": (upto(TRY), STEP_OVER),
}


@pytest.mark.parametrize(("state", "event"), ILLEGAL.values(), ids=ILLEGAL.keys())
def test_an_illegal_event_fails_and_changes_nothing(state: State, event: AnyEvent) -> None:
    before = msgspec.structs.replace(state)
    with pytest.raises(IllegalEvent, match=type(event).__name__):
        evolve(state, event)
    assert state == before


def test_every_event_has_a_place_in_the_table() -> None:
    placed = ALWAYS.union(*(row.keys() for row in TRANSITIONS.values()))
    assert placed == set(get_args(AnyEvent))
    assert set(DEBTS) == set(CHANGES) == placed


def test_every_signal_is_decided_on() -> None:
    assert set(DECISIONS) == set(get_args(Signal))


def test_a_turn_ends_from_one_phase_only_so_that_nothing_is_left_open() -> None:
    assert [phase for phase, row in TRANSITIONS.items() if TurnEnded in row] == ["ready"]
    starts = [phase for phase, row in TRANSITIONS.items() if CallStarted in row]
    assert starts == ["asking", "acting"]  # in `asking` only what was committed as an item


def test_the_picture_in_the_law_shows_each_transition_between_phases() -> None:
    law = table.__doc__ or ""
    moves = [
        kind.__name__
        for phase, row in TRANSITIONS.items()
        for kind, follows in row.items()
        if follows != phase
    ]
    assert all(name in law for name in moves)


# --- the ends of a turn -----------------------------------------------------------------------

ENDINGS = [
    (Turn(number=1, step=1), True, None),
    (Turn(number=1, step=1), False, "completed"),
    (Turn(number=1, step=0), False, "completed"),
    (Turn(number=1, step=1, stop="aborted"), True, "aborted"),
    (Turn(number=1, step=1, stop="aborted"), False, "aborted"),
    (Turn(number=1, step=1, stop="aborted", error="x"), True, "aborted"),
    (Turn(number=1, step=1, stop="timeout"), True, "timeout"),
    (Turn(number=1, step=1, error="x"), True, "error"),
    (Turn(number=1, step=1, finish_reason="content_filter"), False, "blocked"),
    (Turn(number=1, step=1, denied=True), True, None),
    (Turn(number=1, step=1, cut_replies=1), True, None),
    (Turn(number=1, step=1, cut_replies=2), True, "max_tokens"),
    (Turn(number=1, step=1, text_cut=True), True, None),
    (Turn(number=1, step=5, text_cut=True), False, "max_tokens"),
    (Turn(number=1, step=50), True, "max_steps"),
    (Turn(number=1, step=50), False, "completed"),
]


@pytest.mark.parametrize(("turn", "owes", "reason"), ENDINGS)
def test_the_first_line_that_holds_gives_the_end_reason(turn, owes, reason) -> None:
    assert end_of(turn, REFERENCE, owes=owes) == reason


def test_each_end_reason_but_recoverys_has_a_line() -> None:
    assert {end.reason for end in ENDS} == set(get_args(EndReason)) - {"interrupted"}
