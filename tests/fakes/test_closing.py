"""Last words for loops that end by a call: what goes on the wire, and what the history keeps."""

import json

import pytest

from faultloop.fakes.closing import TerminalTool
from faultloop.fakes.conversation import Message
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import Replied
from faultloop.fakes.reply import Text
from faultloop.fakes.script import Script

from .asked import DONE, MARKS, READ, TOOLS, Bench, turn_of, user

FINAL = TerminalTool.of("final_answer(answer)")
OFFERED = (*TOOLS, FINAL.name)
LAST = Script(turns=((DONE,),))
WORD = f"Done. {MARKS.text_mark(0, 0, 1)}"


def test_the_last_word_is_a_call_of_the_terminal_tool():
    speech = Bench(script=LAST, terminal_tool=FINAL).said(user(), tools=OFFERED)

    (call,) = speech.spoken.calls
    assert (call.tool, json.loads(call.arguments)) == ("final_answer", {"answer": WORD})
    assert (speech.spoken.text, speech.spoken.finish) == ("", "tool_calls")
    assert not any(isinstance(item, Text) for item in speech.items)


def test_what_was_meant_stays_a_text_without_calls():
    reply = Bench(script=LAST, terminal_tool=FINAL).said(user(), tools=OFFERED).reply

    assert (reply.text, reply.calls, reply.finish) == (WORD, (), "stop")


def test_work_is_called_as_it_is_written():
    bench = Bench(script=Script(turns=((READ, DONE),)), terminal_tool=FINAL)
    first = bench.said(user(), tools=OFFERED)

    assert first.spoken == first.reply
    last = bench.said(user(), *turn_of(first.reply), tools=OFFERED)
    assert [call.tool for call in last.spoken.calls] == ["final_answer"]


@pytest.mark.parametrize(
    "request_fields",
    [{"tools": TOOLS}, {"tools": OFFERED, "may_call": False}],
    ids=["not offered", "forbidden"],
)
def test_where_it_cannot_be_called_the_last_word_is_a_text(request_fields):
    speech = Bench(script=LAST, terminal_tool=FINAL).said(user(), **request_fields)

    assert speech.spoken == speech.reply


def test_without_a_terminal_tool_its_name_means_nothing():
    speech = Bench(script=LAST).said(user(), tools=OFFERED)

    assert speech.spoken == speech.reply


@pytest.mark.parametrize("kind", ["truncated_text", "refusal", "empty_answer"])
def test_a_last_word_that_a_fault_changed_is_nobody_s_call(kind):
    speech = Bench(KINDS[kind](at="step 1"), script=LAST, terminal_tool=FINAL).said(
        user(), tools=OFFERED
    )

    assert speech.changes
    assert speech.spoken == speech.reply


def test_a_fault_of_the_stream_strikes_the_call():
    fault = KINDS["ends_without_finish"](at="step 1")
    bench = Bench(fault, script=LAST, terminal_tool=FINAL)
    speech = bench.said(user(), tools=OFFERED, streaming=True)

    assert speech.reshapings
    assert [call.tool for call in speech.spoken.calls] == ["final_answer"]


def test_the_words_lead_on_even_where_the_call_came_back_as_text():
    bench = Bench(script=Script(turns=((DONE, DONE),)), terminal_tool=FINAL)
    (call,) = bench.said(user(), tools=OFFERED).spoken.calls
    echoed = Message(role="user", text=f"final_answer said {json.loads(call.arguments)['answer']}")

    assert bench.step(user(), echoed, tools=OFFERED) == (2, "mark")


async def test_the_history_holds_the_text_and_the_wire_the_call(open_play):
    offered = TerminalTool("append_file", "line")
    play = open_play(script=LAST, terminal_tool=offered)
    said = await play.ask()

    assert [(one.calls, one.finish_reason) for one in [play.only(Replied)]] == [((), "stop")]
    assert play.only(Replied).text.startswith("Done.")
    assert [call.tool for call in said.reply.calls] == ["append_file"]


@pytest.mark.parametrize("spelt", ["done", "done()", "(answer)", "a b(c)", "done(answer) "])
def test_another_spelling_is_refused_in_a_sentence(spelt):
    with pytest.raises(ValueError, match=r"is not written as NAME\(ARGUMENT\)"):
        TerminalTool.of(spelt)
