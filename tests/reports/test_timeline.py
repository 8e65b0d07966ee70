from __future__ import annotations

from faultloop.fakes.conversation import Message
from faultloop.fakes.history import (
    AnyEntry,
    CallAbandoned,
    CallAnswered,
    CallArrived,
    Failed,
    MadeCall,
    Refused,
    Replied,
    ReplyClosed,
    Requested,
    Started,
)
from faultloop.reports.rows import Played
from faultloop.reports.timeline import NOTE_CHARS_MAX, Mark, timeline


def marks(*entries: AnyEntry) -> list[Mark]:
    return timeline(entries)


def requested(position: int, request: int, *texts: str, same_as: int | None = None) -> Requested:
    return Requested(
        position=position,
        start=1,
        request=request,
        dialect="openai_chat",
        streaming=False,
        tools=("read_file",),
        messages=tuple(Message(role="user", text=text) for text in texts),
        same_as=same_as,
    )


def arrived(position: int, invocation: int, *, own: bool = False) -> CallArrived:
    return CallArrived(
        position=position,
        start=1,
        invocation=invocation,
        tool="read_file",
        arguments='{"path":"a"}',
        own=own,
    )


def answered(position: int, invocation: int, body: str = "") -> CallAnswered:
    return CallAnswered(
        position=position, start=1, invocation=invocation, status=200, outcome="ok", body=body
    )


def test_every_entry_has_a_mark_at_its_position(plays: list[Played]) -> None:
    for played in plays:
        found = timeline(played.history, played.times_s)
        assert [mark.position for mark in found] == list(range(len(played.history)))
        assert all(mark.title for mark in found)
        assert [mark.time_s for mark in found] == list(played.times_s)


def test_the_story_of_a_doubled_effect_reads_in_order(plays: list[Played]) -> None:
    found = timeline(plays[2].history)
    assert [(mark.lane, mark.title) for mark in found[:8]] == [
        ("bench", "start 1: the user says: Open a pull request for the login fix."),
        ("wire", "request 1: 1 message, new: user"),
        ("model", 'calls create_pull_request({"title":"Fix the login"})'),
        ("wire", "reply to request 1 is sent to its end"),
        ("tools", 'create_pull_request({"title":"Fix the login"})'),
        ("effects", "opened pull request #1 'Fix the login'"),
        ("bench", "fault: gateway timeout after effect"),
        ("tools", "create_pull_request is answered 504: nobody can tell from this"),
    ]


def test_a_request_tells_only_what_is_new_in_it() -> None:
    first, second, again = marks(
        requested(0, 1, "one"), requested(1, 2, "one", "two"), requested(2, 3, same_as=2)
    )
    assert [note.text for note in first.notes] == ["read_file", "one"]
    assert [note.text for note in second.notes] == ["read_file", "two"]
    assert again.title == "request 3: the very same as request 2"


def test_parallel_calls_stand_side_by_side() -> None:
    found = marks(arrived(0, 1), arrived(1, 2), answered(2, 1), arrived(3, 3), answered(4, 2))
    assert [(mark.span, mark.slot) for mark in found] == [
        ("i1", 0),
        ("i2", 1),
        ("i1", 0),
        ("i3", 0),
        ("i2", 1),
    ]


def test_what_a_killed_start_left_open_takes_no_place_from_the_next() -> None:
    again = Started(position=1, start=2, turn=0, input="", resume=True)
    found = marks(arrived(0, 1), again, arrived(2, 2), answered(3, 1))
    assert [mark.slot for mark in found] == [0, 0, 0, 0]


def test_what_the_model_meant_is_beside_what_it_wrote() -> None:
    call = MadeCall(id="call_1", tool="read_file", arguments='{"pa', intended='{"path":"a"}')
    (mark,) = marks(
        Replied(
            position=0,
            start=1,
            request=1,
            turn=0,
            step=1,
            cursor="overrun",
            text="",
            calls=(call,),
            finish_reason="length",
            served=3,
        )
    )
    assert mark.title == 'again (3): calls read_file({"pa)'
    assert [note.text for note in mark.notes] == [
        '{"pa',
        '{"path":"a"}',
        "length",
        "past the end of the script",
    ]


def test_each_bad_end_looks_bad() -> None:
    found = marks(
        Failed(position=0, start=1, request=1, status=429, retry_after_s=2.0),
        Refused(position=1, start=1, request=2, status=400, rule="orphan", sentence="No call."),
        ReplyClosed(position=2, start=1, request=3, outcome="reset", calls_complete=()),
        CallAbandoned(position=3, start=1, invocation=1, stopped=False),
        CallAbandoned(position=4, start=1, invocation=1, stopped=False, unasked=True),
    )
    assert {mark.look for mark in found} == {"bad"}
    assert [mark.title for mark in found] == [
        "request 1 fails with 429, retry after 2 s",
        "request 2 is refused with 400: No call.",
        "reply to request 3 breaks off: the connection is over",
        "the subject lets go of invocation, its work goes on",
        "the connection of invocation is closed, which cancels nothing: its work goes on",
    ]


def test_long_content_is_cut_and_says_how_much() -> None:
    (mark,) = marks(answered(0, 1, "x" * 5_000))
    assert mark.notes[0].text.endswith(" … (3,000 characters more)")
    assert len(mark.notes[0].text) < NOTE_CHARS_MAX + 40
