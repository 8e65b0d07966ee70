"""Random sessions: whatever signals come, in season or out, the promises of the table hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import get_args

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from faultloop.loop.between import outlook
from faultloop.loop.budget import Budget
from faultloop.loop.decide import decide
from faultloop.loop.events import (
    AnyEvent,
    AttemptStarted,
    CallEnded,
    CallNotExecuted,
    CallStarted,
    CancelRequested,
    GoalPhase,
    ItemCommitted,
    LimitReached,
    MessageCommitted,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.evolving import IllegalEvent, replay
from faultloop.loop.header import Header
from faultloop.loop.message import AssistantMessage, Call, ResultMessage
from faultloop.loop.policy import REFERENCE
from faultloop.loop.recovery import closures, is_resumable
from faultloop.loop.registry import Registry
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
from faultloop.loop.state import (
    CallRecord,
    State,
    Turn,
)

HEADERS = (Header(model="m"), Header(model="m", tools=("act",), digest="d"))
POLICY = replace(REFERENCE, budget=Budget(steps_max=4))
NO_TOOLS = Registry()


def likely(state: State, random: Random) -> list[Signal]:
    """What a shell would see next if all goes well."""
    turn = state.turn
    if state.phase == "idle":
        return [Woken()]
    if state.phase == "ready":
        return [Between(header=random.choice(HEADERS)), hooked(state, random)]
    if state.phase == "asking" and not turn.attempts:
        return [TryBegan(of="model")]
    if state.phase == "asking":
        said = [
            Call(id=f"c{n}", name="act", arguments="{}")
            for n in range(len(turn.batch) + random.randrange(4))
        ]
        cut = random.random() < 0.2
        message = AssistantMessage(id="m", text="", calls=tuple(said), truncated=cut)
        attempt = turn.attempts[0].attempt
        item = Call(id=f"c{len(turn.batch)}", name="act", arguments="{}")
        items = [ItemCame(attempt=attempt, call=item)] if len(turn.batch) < 3 else []
        calls = call_moved(turn, random) if turn.open_calls else []
        return [Replied(attempt=attempt, message=message), *items, *calls]
    return call_moved(turn, random)


def call_moved(turn: Turn, random: Random) -> list[Signal]:
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


def hooked(state: State, random: Random) -> Between:
    """Hooks let some of what waits in, or nothing, or the step not begin."""
    waiting = outlook(state, POLICY, resume=False).waiting
    return Between(
        entering={item.input.id: random.choice(("", "said otherwise")) for item in waiting},
        rejected=random.choice((None, None, "not now")),
        broken=random.choice(("", "", "the hook failed")),
    )


def disturbing(state: State, random: Random) -> list[Signal]:
    """What may come at any time, and what a shell could not possibly see now."""
    turn = state.turn
    queued = tuple(item.input.id for item in state.inbox.items)
    name = f"i{random.randrange(len(state.inbox.seen) + 2)}"
    lane = random.choice(("next_step", "next_turn"))
    goal = state.goal.id if state.goal is not None else "goal/1"
    record = CallRecord(call=f"{turn.number}/{turn.step}/0", id="c0", name="act", arguments="{}")
    return [
        *[Arrived(id=name, lane=lane, source="user", text="x", wakes=True)] * 4,
        Stopped(cause="user", queued=queued),
        HookBroken(point="after_tool", hook="h", error="it raised"),
        Headed(header=random.choice(HEADERS)),
        GoalGiven(prefix="goal/", text="all green", rounds_max=3),
        *(GoalPut(goal=goal, phase=phase) for phase in get_args(GoalPhase)),
        *[RoundDue()] * 3,
        RoundDropped(reason="why not"),
        LimitHit(limit="timeout"),
        *(Woken(), Between(), StepOver(), StepOver(error="no"), TryBegan(of="tool", call="x")),
        *(TryEnded(attempt=open_.attempt, state="failed") for open_ in turn.attempts),
        ItemCame(attempt="1/1/1", call=Call(id="c0", name="act", arguments="{}")),
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
    committed = {
        (event.turn, event.step, index)
        for event in journal
        if isinstance(event, MessageCommitted)
        for index in range(len(event.message.calls))
    }
    items = Counter(
        (event.turn, event.step) for event in journal if isinstance(event, ItemCommitted)
    )
    committed |= {(*step, index) for step, number in items.items() for index in range(number)}
    closed = [event.call for event in journal if isinstance(event, CallEnded | CallNotExecuted)]
    still_open = [record.call for record in state.turn.open_calls]
    assert sorted(closed + still_open) == sorted("/".join(map(str, call)) for call in committed)


@settings(max_examples=100, deadline=None)
@given(sessions)
def test_whatever_vanishes_each_result_in_the_history_stands_behind_its_call(
    journal: list[AnyEvent],
) -> None:
    state = replay(journal)
    owed: list[str] = []
    for message in replay(closures(state, "VANISHED", NO_TOOLS, policy=REFERENCE), state).history:
        if isinstance(message, ResultMessage):
            owed.remove(message.call_id)
        else:
            assert not owed
        if isinstance(message, AssistantMessage):
            owed = [call.id for call in message.calls]
    assert not owed


@settings(max_examples=100, deadline=None)
@given(sessions)
def test_every_turn_that_starts_ends_once_whatever_vanishes(journal: list[AnyEvent]) -> None:
    state = replay(journal)
    closing = closures(state, "VANISHED", NO_TOOLS, policy=REFERENCE)
    after_all = replay(closing, state)
    everything = [*journal, *closing]
    started = [event.turn for event in everything if isinstance(event, TurnStarted)]
    ended = [event.turn for event in everything if isinstance(event, TurnEnded)]
    assert started == ended
    assert after_all.phase == "idle"
    assert not after_all.turn.open_calls
    assert not after_all.turn.attempts
    assert closures(after_all, "VANISHED", NO_TOOLS, policy=REFERENCE) == ()


@settings(max_examples=100, deadline=None)
@given(sessions, st.integers(0, 200))
def test_a_journal_replayed_from_any_crash_can_be_closed(journal: list[AnyEvent], at: int) -> None:
    state = replay(journal[:at])
    closed = replay(closures(state, "VANISHED", NO_TOOLS, policy=REFERENCE), state)
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
