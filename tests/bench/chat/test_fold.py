"""What each event changes on the screen, as tables: events in, items out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from faultloop.bench.chat.fold import (
    HostEvent,
    Noted,
    NotTaken,
    PersonAnswered,
    PersonAsked,
    ScreenEvent,
    StopAsked,
    Typed,
    fold,
    folded,
    last_turn,
    left_open,
)
from faultloop.bench.chat.screen import Card, End, Item, Note, Reply, Said, Screen, is_settled
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.budget import Spent
from faultloop.loop.checking import Permission
from faultloop.loop.contract import Contract
from faultloop.loop.events import (
    AttemptEnded,
    InputClaimed,
    InputQueued,
    MessageCommitted,
    TurnEnded,
    TurnStarted,
)
from faultloop.loop.message import AssistantMessage, Call
from faultloop.loop.run_events import (
    AnyRunEvent,
    AttemptFailed,
    GoalArmed,
    GoalChanged,
    InputDropped,
    InputEntered,
    MessageDelta,
    MessageEnded,
    PermissionAnswered,
    PermissionAsked,
    StepClosed,
    ToolEnded,
    ToolProgress,
    ToolStarted,
    TurnBegan,
    TurnOver,
    UsageCounted,
    WentIdle,
)
from faultloop.loop.tools.port import ToolContext, ToolResult

DELTA = MessageDelta(attempt="1/1/1", text="Hel")
CALL = Card(call="1/1/0", tool="write", arguments="{}")
ASKED = PermissionAsked(call="1/1/0", tool="write", arguments="{}")
STARTED = ToolStarted(call="1/1/0", call_id="c", tool="write", arguments="{}")


def said(text: str = "", *tools: str, truncated: bool = False) -> MessageEnded:
    calls = tuple(Call(id=f"c{tool}", name=tool, arguments="{}") for tool in tools)
    message = AssistantMessage(id="m", text=text, calls=calls, truncated=truncated)
    return MessageEnded(attempt="1/1/1", message=message)


def closed(outcome: str | None, code: str = "", content: str = "") -> ToolEnded:
    return ToolEnded(call="1/1/0", call_id="c", outcome=outcome, code=code, content=content)


def seen(*events: ScreenEvent) -> Screen:
    screen = Screen()
    for at_s, event in enumerate(events):
        screen = fold(screen, event, at_s=float(at_s))
    return screen


WORDS = {
    "deltas of one attempt grow together": (
        [DELTA, MessageDelta(attempt="1/1/1", text="lo")],
        [Reply(attempt="1/1/1", text="Hello")],
    ),
    "a whole message replaces what was streamed": (
        [DELTA, said("Hello.")],
        [Reply(attempt="1/1/1", text="Hello.", state="whole")],
    ),
    "a message that was not streamed is seen as well": (
        [said("Hello.")],
        [Reply(attempt="1/1/1", text="Hello.", state="whole")],
    ),
    "a message without a text is only its calls": ([said("", "write")], [CALL]),
    "a cut message says so": (
        [DELTA, said("Hel", truncated=True)],
        [Reply(attempt="1/1/1", text="Hel", state="cut")],
    ),
    "an attempt that failed stays as interrupted": (
        [DELTA, AttemptFailed(attempt="1/1/1", detail="reset")],
        [Reply(attempt="1/1/1", text="Hel", state="interrupted", why="reset")],
    ),
    "the next attempt is another text": (
        [
            DELTA,
            AttemptFailed(attempt="1/1/1", detail="reset"),
            MessageDelta(attempt="1/1/2", text="Hi"),
        ],
        [
            Reply(attempt="1/1/1", text="Hel", state="interrupted", why="reset"),
            Reply(attempt="1/1/2", text="Hi"),
        ],
    ),
    "what comes late for an attempt that failed is never appended": (
        [DELTA, AttemptFailed(attempt="1/1/1", detail="reset"), DELTA],
        [Reply(attempt="1/1/1", text="Hel", state="interrupted", why="reset")],
    ),
    "the message of its calls alone leaves its text as it broke off": (
        [DELTA, AttemptFailed(attempt="1/1/1", detail="reset"), said("")],
        [Reply(attempt="1/1/1", text="Hel", state="interrupted", why="reset")],
    ),
    "an attempt that failed before its first word leaves a note": (
        [AttemptFailed(attempt="1/1/1", detail="429")],
        [Note(text="an attempt failed: 429", tone="warning")],
    ),
    "an attempt that a cancel cut before its first word leaves nothing": (
        [AttemptFailed(attempt="1/1/1", detail="")],
        [],
    ),
    "a note of the program's own is seen": (
        [Noted(text="mind the gap", tone="error")],
        [Note(text="mind the gap", tone="error")],
    ),
}

CALLS = {
    "a reply's calls stand in its order, queued": (
        [said("", "write", "read")],
        [CALL, Card(call="1/1/1", tool="read", arguments="{}")],
    ),
    "a call that is checked and asks nobody stays queued": ([said("", "write"), ASKED], [CALL]),
    "a call whose question is over waits for its start": (
        [said("", "write"), ASKED, PermissionAnswered(call="1/1/0", granted=True)],
        [CALL],
    ),
    "a query of the loop's own is there while it is asked about, and leaves no card": (
        [
            STARTED,
            PermissionAsked(call="1/1/0/query", tool="look", arguments="{}"),
            PermissionAnswered(call="1/1/0/query", granted=False),
            closed("unknown", "TIMEOUT"),
        ],
        [replace(CALL, state="unknown", code="TIMEOUT")],
    ),
    "a call that asks the person says so": (
        [said("", "write"), ASKED, PersonAsked()],
        [replace(CALL, state="asked")],
    ),
    "an answered question is none any more": (
        [said("", "write"), ASKED, PersonAsked(), PersonAnswered()],
        [CALL],
    ),
    "a call that started runs, with what it was given": (
        [
            said("", "write"),
            ToolStarted(call="1/1/0", call_id="c", tool="write", arguments='{"x":1}'),
        ],
        [replace(CALL, state="running", arguments='{"x":1}')],
    ),
    "progress is the call's own": (
        [said("", "write"), STARTED, ToolProgress(call="1/1/0", text="half")],
        [replace(CALL, state="running", progress="half")],
    ),
    "a try of a tool that failed is no news: it is tried again": (
        [said("", "write"), STARTED, AttemptFailed(attempt="1/1/2", detail="TIMEOUT")],
        [replace(CALL, state="running")],
    ),
    "ok": (
        [said("", "write"), STARTED, closed("ok", content="5 bytes")],
        [replace(CALL, state="ok", content="5 bytes")],
    ),
    "failed": (
        [said("", "write"), STARTED, closed("failed", "X")],
        [replace(CALL, state="failed", code="X")],
    ),
    "unknown": (
        [said("", "write"), STARTED, closed("unknown", "X")],
        [replace(CALL, state="unknown", code="X")],
    ),
    "not executed": (
        [said("", "write"), closed(None, "DENIED")],
        [replace(CALL, state="not_executed", code="DENIED")],
    ),
    "a call that nobody announced has a card all the same": (
        [STARTED],
        [replace(CALL, state="running")],
    ),
}

TURNS = {
    "a turn's end tells its reason, its error and its time": (
        [
            TurnBegan(turn=1),
            WentIdle(),
            TurnOver(turn=1, end_reason="error", finish_reason=None, error="oh"),
        ],
        [End(turn=1, end_reason="error", error="oh", took_s=2.0)],
    ),
    "what a goal does is told": (
        [
            GoalChanged(goal="g", phase="blocked", reason="no network"),
            GoalArmed(goal="g", armed=False, why="it is blocked"),
        ],
        [
            Note(text="the goal is blocked: no network"),
            Note(text="the goal wakes nobody: it is blocked"),
        ],
    ),
    "what was typed is no item before it is in the context": (
        [Typed(id="a", text="Hi", lane="prompt")],
        [],
    ),
    "it stands where it entered": (
        [Typed(id="a", text="Hi", lane="steer"), said("Hello."), InputEntered(id="a")],
        [
            Reply(attempt="1/1/1", text="Hello.", state="whole"),
            Said(id="a", text="Hi", lane="steer"),
        ],
    ),
    "what a cancel dropped is told": (
        [Typed(id="a", text="Hi", lane="steer"), InputDropped(id="a", reason="cancelled")],
        [Note(text="dropped, the model never sees it (cancelled): Hi", tone="warning")],
    ),
    "what was not taken is told": (
        [Typed(id="a", text="Hi", lane="prompt"), NotTaken(id="a", why="no room")],
        [Note(text="not sent: no room: Hi", tone="warning")],
    ),
}


@pytest.mark.parametrize(("events", "items"), WORDS.values(), ids=WORDS)
def test_words(events: list[ScreenEvent], items: list[Item]) -> None:
    assert list(seen(*events).items) == items


@pytest.mark.parametrize(("events", "items"), CALLS.values(), ids=CALLS)
def test_calls(events: list[ScreenEvent], items: list[Item]) -> None:
    assert list(seen(*events).items) == items


@pytest.mark.parametrize(("events", "items"), TURNS.values(), ids=TURNS)
def test_turns(events: list[ScreenEvent], items: list[Item]) -> None:
    assert list(seen(*events).items) == items


def test_every_event_there_is_stands_in_a_table() -> None:
    rows = [*WORDS.values(), *CALLS.values(), *TURNS.values()]
    in_tables = {type(event) for events, _ in rows for event in events}
    in_stories = {UsageCounted, StepClosed, StopAsked}
    assert in_tables | in_stories == {*get_args(AnyRunEvent), *get_args(HostEvent)}


def test_of_a_turn_with_a_call_of_unknown_outcome_everything_settles() -> None:
    async def hung(args: dict[str, Any], context: ToolContext) -> ToolResult:
        return ToolResult(outcome="unknown", content="nobody saw its end", code="TIMEOUT")

    async def permit(contract: Contract, args: dict[str, Any]) -> Permission:
        return Permission(granted=True)

    kit = Kit()
    session = Session(kit, call(Ask("act", "{}")), say("So be it."))
    session.tools = (
        toy(kit, "act", hung, verify_with="look"),
        toy(kit, "look", read_only=True, concurrency_safe=True),
    )
    play(lambda: session.listened(permit=permit).prompt("go"))
    items = seen(*session.heard).items
    assert [type(one) for one in items] == [Card, Reply, End]
    assert all(is_settled(one) for one in items)
    (card,) = seen(*session.heard).cards
    assert (card.tool, card.state) == ("act", "unknown")
    assert "look was asked just now" in card.content


def test_the_question_is_about_the_call_that_was_checked_last() -> None:
    other = PermissionAsked(call="1/1/1", tool="read", arguments="{}")
    screen = seen(said("", "write", "read"), ASKED, PersonAsked(), PersonAnswered(), other)
    assert screen.question is None
    screen = fold(screen, PersonAsked())
    assert screen.question is not None
    assert screen.question.tool == "read"


def test_a_turn_that_ends_takes_its_question_with_it() -> None:
    over = TurnOver(turn=1, end_reason="aborted", finish_reason=None, error="")
    assert seen(said("", "write"), ASKED, PersonAsked(), over).question is None


def test_steps_and_tokens_are_the_turns_and_cached_ones_are_apart() -> None:
    usage = UsageCounted(attempt="1/1/1", input_tokens=10, output_tokens=3, cached_tokens=4)
    screen = seen(TurnBegan(turn=1), usage, usage, StepClosed(turn=1, step=1, why="done"))
    assert screen.steps == 1
    assert screen.spent == Spent(input_tokens=12, cached_tokens=8, output_tokens=6)
    screen = fold(screen, TurnBegan(turn=2))
    assert (screen.steps, screen.spent) == (0, Spent())


def test_a_stop_is_under_way_until_the_loop_is_idle() -> None:
    assert not seen(StopAsked()).stopping
    assert seen(TurnBegan(turn=1), StopAsked()).stopping
    assert not seen(TurnBegan(turn=1), StopAsked(), WentIdle()).stopping


@pytest.mark.parametrize(("events", "items"), [*WORDS.values(), *CALLS.values(), *TURNS.values()])
def test_what_is_settled_never_changes_again(events: list[ScreenEvent], items: list[Item]) -> None:
    screen, settled = Screen(), dict[int, Item]()
    for event in events:
        screen = fold(screen, event)
        for at, item in settled.items():
            assert screen.items[at] == item
        settled = {at: item for at, item in enumerate(screen.items) if is_settled(item)}


def test_a_journal_is_shown_by_the_same_fold() -> None:
    message = AssistantMessage(id="m", text="Hello.")
    screen = folded(
        [
            InputQueued(id="a", lane="next_turn", source="user", text="Hi"),
            TurnStarted(turn=1),
            InputClaimed(turn=1, id="a"),
            AttemptEnded(attempt="1/1/1", state="completed", input_tokens=3),
            MessageCommitted(turn=1, step=1, attempt="1/1/2", message=message),
            TurnEnded(turn=1, end_reason="completed"),
        ]
    )
    assert list(screen.items) == [
        Said(id="a", text="Hi", lane="prompt"),
        Reply(attempt="1/1/2", text="Hello.", state="whole"),
        End(turn=1, end_reason="completed", error="", took_s=None),
    ]


def end(turn: int) -> End:
    return End(turn=turn, end_reason="completed", error="", took_s=None)


ASKS = Said(id="a", text="Hi", lane="prompt")
RUNNING = Card(call="3/1/0", tool="write", arguments="{}", state="running")

PASTS = {
    "nothing": ([], []),
    "one turn is shown whole": ([ASKS, end(1)], [ASKS, end(1)]),
    "of two that are over, the last": (
        [ASKS, end(1), ASKS, end(2)],
        [Note(text="… 1 earlier turn not shown"), ASKS, end(2)],
    ),
    "of two that are over and one that is not, that one": (
        [ASKS, end(1), ASKS, end(2), ASKS, RUNNING],
        [Note(text="… 2 earlier turns not shown"), ASKS, RUNNING],
    ),
}


@pytest.mark.parametrize(("items", "shown"), PASTS.values(), ids=PASTS)
def test_of_a_past_the_last_turn_is_shown(items: list[Item], shown: list[Item]) -> None:
    assert list(last_turn(Screen(items=tuple(items))).items) == shown


def test_whoever_pipes_is_told_of_what_was_left_open_only() -> None:
    assert left_open(Screen(items=(ASKS, end(1), ASKS, RUNNING))).items == (RUNNING,)
