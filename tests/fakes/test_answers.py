"""How a reply ended: which of its calls were delivered whole, however the stream was cut up."""

import pytest

from faultloop.fakes.answers import Said
from faultloop.fakes.faults import KINDS
from faultloop.fakes.reply import CallArguments, Reply, ReplyCall, pieces

from .chat_replies import FRAME

FIRST = ReplyCall(id="call_1", tool="read_file", arguments='{"path":"a.txt"}')
LAST = ReplyCall(id="call_2", tool="append_file", arguments='{"path":"b.txt","line":"x"}')
REPLY = Reply(id="r", turn=0, step=1, text="I look.", calls=(FIRST, LAST), finish="tool_calls")

ODD = (
    "interleaved_calls",
    "gapped_indexes",
    "repeated_names",
    "empty_chunks",
    "same_index",
    "missing_id",
    "missing_name",
    "late_id",
    "late_name",
    "block_start_missing",
    "block_end_missing",
    "finish_missing",
    "usage_missing",
    "null_deltas",
)


def said(kind: str) -> Said:
    items = KINDS[kind](at="step 1").shape(tuple(pieces(REPLY)))
    return Said(
        request=1,
        reply=REPLY,
        items=items,
        streaming=True,
        frame=FRAME,
    )


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_stream_delivers_its_calls_whole(kind: str) -> None:
    reply = said(kind)
    ending = reply.ending(len(reply.items))
    assert (ending.outcome, ending.calls_complete) == ("sent", ("call_1", "call_2"))


@pytest.mark.parametrize("kind", ODD)
def test_a_call_whose_last_piece_is_missing_is_not_complete(kind: str) -> None:
    reply = said(kind)
    last = max(n for n, item in enumerate(reply.items) if isinstance(item, CallArguments))
    assert "call_2" not in reply.ending(last, gone=True).calls_complete


def test_a_piece_after_the_finish_reason_leaves_a_call_complete() -> None:
    reply = said("late_delta")
    ending = reply.ending(len(reply.items))
    assert (ending.outcome, ending.calls_complete) == ("sent", ("call_1", "call_2"))


def test_an_error_in_the_stream_cuts_it() -> None:
    reply = said("error_event")
    ending = reply.ending(len(reply.items))
    assert (ending.outcome, ending.calls_complete) == ("cut", ())


def test_calls_that_share_an_id_are_counted_apart() -> None:
    calls = (FIRST, ReplyCall(id="call_1", tool="append_file", arguments=LAST.arguments))
    reply = Reply(id="r", turn=0, step=1, text="", calls=calls, finish="tool_calls")
    items = tuple(pieces(reply))
    shared = Said(request=1, reply=reply, items=items, streaming=True, frame=FRAME)
    assert shared.ending(len(items)).calls_complete == ("call_1", "call_1")
    assert shared.ending(len(items) - 4, gone=True).calls_complete == ("call_1",)
