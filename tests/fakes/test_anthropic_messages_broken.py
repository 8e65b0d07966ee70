"""Streams of Anthropic Messages that are broken: what faults make of a reply, and whatever else."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultloop.fakes.dialects.anthropic_messages_input import tool_input
from faultloop.fakes.faults.empty_chunks import EmptyChunks
from faultloop.fakes.faults.ends_without_finish import EndsWithoutFinish
from faultloop.fakes.faults.gapped_indexes import GappedIndexes
from faultloop.fakes.faults.interleaved_calls import InterleavedCalls
from faultloop.fakes.faults.repeated_names import RepeatedNames
from faultloop.fakes.reply import (
    CallArguments,
    CallBegan,
    EndMark,
    Finished,
    Opened,
    ProviderError,
    Reply,
    ReplyCall,
    Text,
    Unclosed,
    Usage,
    pieces,
)

from .anthropic_messages_replies import FRAME, MESSAGES, REPLY, events

AT = {"at": "step 1"}


def told(reply: Reply, deltas: Any = None) -> list[str]:
    """A stream in few words: what happens, at which index, with what text."""
    words = []
    for event in events(reply, deltas):
        data = json.loads(event.split("data: ", 1)[1])
        piece = data.get("delta", {})
        block = data.get("content_block", {})
        words.append(
            " ".join(
                str(part)
                for part in (
                    data["type"].removeprefix("content_block_"),
                    data.get("index", ""),
                    block.get("name", ""),
                    piece.get("text", piece.get("partial_json", piece.get("stop_reason", ""))),
                )
                if part != ""
            )
        )
    return words


def shaped(fault: Any) -> list[str]:
    return told(REPLY, list(fault.shape(tuple(pieces(REPLY)))))


def test_calls_whose_pieces_come_in_turns_are_open_side_by_side_until_each_is_whole():
    call_1, call_2 = (
        ReplyCall(id=f"call_{n}", tool=f"tool_{n}", arguments='{"a": "1234567890"}') for n in (1, 2)
    )
    reply = Reply(id="a", turn=0, step=1, text="", calls=(call_1, call_2), finish="tool_calls")

    mixed = InterleavedCalls(**AT).shape(tuple(pieces(reply)))

    assert told(reply, mixed) == [
        "message_start",
        "start 0 tool_1",
        "delta 0",
        "start 1 tool_2",
        "delta 1",
        'delta 0 {"a": "12345',
        'delta 1 {"a": "12345',
        'delta 0 67890"}',
        "stop 0",
        'delta 1 67890"}',
        "stop 1",
        "message_delta tool_use",
        "message_stop",
    ]


def test_gaps_in_the_indexes_stay_gaps():
    assert [word for word in shaped(GappedIndexes(**AT)) if "start " in word] == [
        "start 0",
        "start 2 read_file",
        "start 4 list_files",
    ]


def test_a_call_that_begins_again_opens_its_block_again():
    words = shaped(RepeatedNames(**AT))

    assert words[5:11] == [
        "start 1 read_file",
        "delta 1",
        'delta 1 {"path": "a.',
        "start 1 read_file",
        "delta 1",
        'delta 1 txt"}',
    ]
    assert words.count("stop 1") == 1


def test_empty_pieces_are_empty_deltas():
    words = shaped(EmptyChunks(**AT))

    assert words[1:5] == ["start 0", "ping", "delta 0", "delta 0 I look."]


def test_a_call_that_is_whole_has_stopped_also_without_a_finish():
    fault = EndsWithoutFinish(**AT)
    deltas = fault.shape(tuple(pieces(REPLY)))[:-1]  # the last is the end itself

    assert told(REPLY, deltas)[-4:] == ["start 2 list_files", "delta 2", "delta 2 {}", "stop 2"]


def test_text_after_a_call_is_a_block_of_its_own():
    deltas = [
        Opened(),
        CallBegan(0, "call_2", "list_files"),
        CallArguments(0, "{}"),
        Text("Well."),
        Finished("stop"),
    ]

    assert told(REPLY, deltas)[1:] == [
        "start 0 list_files",
        "delta 0",
        "delta 0 {}",
        "stop 0",
        "start 1",
        "ping",
        "delta 1 Well.",
        "stop 1",
        "message_delta end_turn",
    ]


def test_pieces_of_a_call_that_never_began_come_without_its_block():
    assert told(REPLY, [Opened(), Text("I"), CallArguments(0, "{}"), EndMark()])[4:] == [
        "delta 1 {}",
        "message_stop",
    ]


def test_usage_is_sent_once_unless_it_says_something_else():
    usage = Usage(REPLY.prompt_tokens, REPLY.completion_tokens)
    stream = MESSAGES.stream(REPLY, FRAME)

    assert b'"stop_reason":null' in stream.event(usage)  # before the end it stands alone
    assert b'"output_tokens":7' in stream.event(Finished("stop"))
    assert stream.event(usage) == b""
    assert b'"output_tokens":9' in stream.event(Usage(12, 9))


# --- whatever comes ---------------------------------------------------------------------------

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=8)
INDEXES = st.integers(min_value=0, max_value=5)
DELTAS = st.lists(
    st.one_of(
        st.builds(Opened),
        st.builds(Text, ANY_TEXT),
        st.builds(
            CallBegan,
            INDEXES,
            st.sampled_from(["call_1", "call_2", "", None]),
            ANY_TEXT | st.none(),
        ),
        st.builds(CallArguments, INDEXES, ANY_TEXT),
        st.builds(Finished, st.sampled_from(["stop", "tool_calls", "length", "content_filter"])),
        st.builds(Usage, st.integers(0, 99), st.integers(0, 99)),
        st.builds(EndMark),
        st.builds(Unclosed),
        st.builds(ProviderError, ANY_TEXT),
    ),
    max_size=12,
)


@settings(max_examples=100, deadline=None)
@given(DELTAS)
def test_any_sequence_of_deltas_is_spelt_as_events_of_json(deltas):
    for event in events(REPLY, deltas):
        name, data = event.split("\n")
        assert json.loads(data.removeprefix("data: "))["type"] == name.removeprefix("event: ")


@settings(max_examples=100, deadline=None)
@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3))
def test_any_reply_is_spelt_whole(text, arguments):
    calls = tuple(
        ReplyCall(id=f"call_{n}", tool="x", arguments=said) for n, said in enumerate(arguments)
    )
    reply = Reply(id="a", turn=0, step=1, text=text, calls=calls, finish="tool_calls")

    content = json.loads(MESSAGES.whole(reply, FRAME))["content"]

    assert len(content) == bool(text) + len(calls)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.floats(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text(max_size=5), JSON), st.booleans(), st.data())
def test_what_is_left_of_cut_arguments_is_what_the_sdk_makes_of_them(value, is_ascii, data):
    jiter = pytest.importorskip("jiter")
    text = json.dumps(value, ensure_ascii=is_ascii)
    cut = text[: data.draw(st.integers(min_value=1, max_value=len(text)))]

    assert json.loads(tool_input(cut)) == jiter.from_json(cut.encode(), partial_mode=True)
