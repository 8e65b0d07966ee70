"""The table: legal steps work, illegal ones fail and change nothing, debts are never forgotten."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultloop.loop import state as table
from faultloop.loop.budget import Budget
from faultloop.loop.decide import ENDS, decide, end_of
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
    LimitReached,
    MessageCommitted,
    NoticeAdded,
    StepEnded,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.header import Header
from faultloop.loop.message import AssistantMessage, Call, Notice, ResultMessage, UserMessage
from faultloop.loop.policy import REFERENCE
from faultloop.loop.recovery import closures, is_resumable
from faultloop.loop.registry import Registry
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
from faultloop.loop.state import (
    ALWAYS,
    TRANSITIONS,
    CallRecord,
    IllegalEvent,
    State,
    Turn,
    evolve,
    replay,
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

ILLEGAL = {
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


def test_a_turn_ends_from_one_phase_only_so_that_nothing_is_left_open() -> None:
    assert [phase for phase, row in TRANSITIONS.items() if TurnEnded in row] == ["ready"]
    assert [phase for phase, row in TRANSITIONS.items() if CallStarted in row] == ["acting"]


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


# --- random sessions --------------------------------------------------------------------------

HEADERS = (Header(model="m"), Header(model="m", tools=("act",), digest="d"))
POLICY = replace(REFERENCE, budget=Budget(steps_max=4))
NO_TOOLS = Registry()


def likely(state: State, random: Random) -> list[Signal]:
    """What a shell would see next if all goes well."""
    turn = state.turn
    if state.phase == "idle":
        return [Woken()]
    if state.phase == "ready":
        return [Between(header=random.choice(HEADERS))]
    if state.phase == "asking" and not turn.attempts:
        return [TryBegan(of="model")]
    if state.phase == "asking":
        calls = tuple(
            Call(id=f"c{n}", name="act", arguments="{}") for n in range(random.randrange(4))
        )
        cut = random.random() < 0.2
        message = AssistantMessage(id="m", text="", calls=calls, truncated=cut)
        return [Replied(attempt=turn.attempts[0].attempt, message=message)]
    if not turn.open_calls:
        return [StepOver()]
    record = random.choice(turn.open_calls)
    if record.stage == "started":
        mine = [open_.attempt for open_ in turn.attempts if open_.call == record.call]
        last = mine[0] if mine else None
        return [CallOver(record=record, attempt=last, outcome="ok", content="done")]
    if turn.stop or turn.truncated:
        return [CallRefused(record=record, code="CANCELLED")]
    return [CallBegan(record=record, tool="act", given="{}", key="k")]


def disturbing(state: State, random: Random) -> list[Signal]:
    """What may come at any time, and what a shell could not possibly see now."""
    turn = state.turn
    queued = tuple(item.input.id for item in state.inbox.items)
    name = f"i{random.randrange(len(state.inbox.seen) + 2)}"
    lane = random.choice(("next_step", "next_turn"))
    record = CallRecord(call=f"{turn.number}/{turn.step}/0", id="c0", name="act", arguments="{}")
    return [
        *[Arrived(id=name, lane=lane, source="user", text="x", wakes=True)] * 4,
        Stopped(cause="user", queued=queued),
        LimitHit(limit="timeout"),
        *(Woken(), Between(), StepOver(), StepOver(error="no"), TryBegan(of="tool", call="x")),
        *(TryEnded(attempt=open_.attempt, state="failed") for open_ in turn.attempts),
        TryEnded(attempt="9/9/9", state="failed"),
        CallBegan(record=record, tool="act", given="{}", key="k"),
        CallOver(record=record, outcome="ok", content="done"),
        CallRefused(record=record, code="CANCELLED"),
    ]


def session(seed: int, length: int) -> list[AnyEvent]:
    """The events of a random session; a signal out of season must be refused whole."""
    random = Random(seed)
    state, journal = State(), list[AnyEvent]()
    for _ in range(length):
        choices = likely if random.random() < 0.8 else disturbing
        signal = random.choice(choices(state, random))
        before = msgspec.structs.replace(state)
        try:
            events = decide(state, signal, POLICY)
            state = replay(events, state)
        except IllegalEvent:
            assert state == before
            continue
        journal.extend(events)
    return journal


sessions = st.builds(session, st.integers(0, 2**32), st.integers(1, 120))
"""The seed says which session, the length where it is broken off: shrinking gives the shortest."""


def test_random_sessions_go_everywhere() -> None:
    seen = {type(event) for seed in range(30) for event in session(seed, 120)}
    assert seen == set(get_args(AnyEvent))


@settings(max_examples=100, deadline=None)
@given(sessions)
def test_no_open_call_is_ever_forgotten(journal: list[AnyEvent]) -> None:
    state = replay(journal)
    committed = [
        (event.turn, event.step, index)
        for event in journal
        if isinstance(event, MessageCommitted)
        for index in range(len(event.message.calls))
    ]
    closed = [event.call for event in journal if isinstance(event, CallEnded | CallNotExecuted)]
    still_open = [record.call for record in state.turn.open_calls]
    assert sorted(closed + still_open) == sorted("/".join(map(str, call)) for call in committed)


@settings(max_examples=100, deadline=None)
@given(sessions)
def test_every_turn_that_starts_ends_once_whatever_vanishes(journal: list[AnyEvent]) -> None:
    state = replay(journal)
    closing = closures(state, "VANISHED", NO_TOOLS)
    after_all = replay(closing, state)
    everything = [*journal, *closing]
    started = [event.turn for event in everything if isinstance(event, TurnStarted)]
    ended = [event.turn for event in everything if isinstance(event, TurnEnded)]
    assert started == ended
    assert after_all.phase == "idle"
    assert not after_all.turn.open_calls
    assert not after_all.turn.attempts
    assert closures(after_all, "VANISHED", NO_TOOLS) == ()


@settings(max_examples=100, deadline=None)
@given(sessions, st.integers(0, 200))
def test_a_journal_replayed_from_any_crash_can_be_closed(journal: list[AnyEvent], at: int) -> None:
    state = replay(journal[:at])
    closed = replay(closures(state, "VANISHED", NO_TOOLS), state)
    assert closed.phase == "idle"
    if is_resumable(closed):
        assert closed.turn.end_reason == "interrupted"


@settings(max_examples=100, deadline=None)
@given(sessions)
def test_nothing_starts_after_a_stop(journal: list[AnyEvent]) -> None:
    is_open = stopped = False
    for event in journal:
        if isinstance(event, CancelRequested | LimitReached):
            stopped = is_open  # between two turns it stops what was queued, and no turn
        elif isinstance(event, TurnStarted):
            is_open = True
        elif isinstance(event, TurnEnded):
            assert not stopped or event.end_reason in ("aborted", "timeout")
            is_open = stopped = False
        assert not (stopped and isinstance(event, StepStarted | AttemptStarted | CallStarted))


@settings(max_examples=100, deadline=None)
@given(sessions)
def test_the_state_folded_step_by_step_is_the_state_replayed(journal: list[AnyEvent]) -> None:
    half = len(journal) // 2
    assert replay(journal[half:], replay(journal[:half])) == replay(journal)
