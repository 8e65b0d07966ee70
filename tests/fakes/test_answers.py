"""How a reply ended: which of its calls were delivered whole, however the stream was cut up."""

import pytest

from faultloop.fakes.answers import Said
from faultloop.fakes.faults import KINDS
from faultloop.fakes.reply import CallArguments, Reply, ReplyCall, pieces

from .chat_replies import FRAME

FIRST = ReplyCall(id="call_1", tool="read_file", arguments='{"path":"a.txt"}')
LAST = ReplyCall(id="call_2", tool="append_file", arguments='{"path":"b.txt","line":"x"}')
REPLY = Reply(id="r", turn=0, step=1, text="I look.", calls=(FIRST, LAST), finish="tool_calls")

ODD = ("interleaved_calls", "gapped_indexes", "repeated_names", "empty_chunks")


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
