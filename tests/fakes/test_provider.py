"""The provider follows lineage: short stories of loops that retry, forget, flatten and run on."""

import json

import pytest

from faultloop.fakes.conversation import Conversation, Message, SaidCall
from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.armed import Armed
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.marks import Marks
from faultloop.fakes.provider import Failure, Provider, Refusal, Speech
from faultloop.fakes.reply import Eof, Reply, Reset
from faultloop.fakes.script import Script, ScriptedCall, Step

READ = Step(say="I look.", calls=(ScriptedCall.of("read_file", {"path": "a"}),))
APPEND = Step(calls=(ScriptedCall.of("append_file", {"path": "a", "line": "x"}),))
DONE = Step(say="Done.")
AGAIN = Step(say="Here is where things stand.")
SCRIPT = Script(turns=((READ, APPEND, DONE), (AGAIN,)))
MARKS = Marks(7, "play")
TOOLS = ("read_file", "append_file")


class Bench:
    """A provider, asked with conversations; counts the requests as a stage does."""

    def __init__(
        self,
        *faults: Fault,
        script: Script = SCRIPT,
        requests_max: int = 20,
        tools_offered: bool = True,
    ) -> None:
        self.provider = Provider(
            script, Armed(faults), MARKS, requests_max=requests_max, tools_offered=tools_offered
        )
        self.requests = 0

    def ask(self, *messages: Message, **fields: object) -> Speech | Failure | Refusal:
        self.requests += 1
        return self.provider.answer(self.requests, conversation(*messages, **fields))

    def step(self, *messages: Message, **fields: object) -> tuple[int, str]:
        speech = self.said(*messages, **fields)
        return speech.place.number, speech.place.cursor

    def said(self, *messages: Message, **fields: object) -> Speech:
        speech = self.ask(*messages, **fields)
        assert isinstance(speech, Speech)
        return speech


def conversation(*messages: Message, **fields: object) -> Conversation:
    raw = json.dumps([[m.role, m.text, [c.id for c in m.calls], m.result_of] for m in messages])
    return Conversation(messages=messages, raw=raw, **{"tools": TOOLS, **fields})


def user(turn: int = 0, text: str = "Go.") -> Message:
    return Message(role="user", text=MARKS.marked_input(turn, text))


def turn_of(reply: Reply) -> tuple[Message, ...]:
    """The reply and the results of its calls, as an honest loop appends them."""
    calls = tuple(SaidCall(id=c.id, name=c.tool, arguments=c.arguments) for c in reply.calls)
    results = (Message(role="tool", text="ok", result_of=call.id) for call in calls)
    return (Message(role="assistant", text=reply.text, calls=calls), *results)


def test_an_honest_loop_hears_the_script_from_first_to_last():
    bench = Bench()
    messages = [user()]
    steps = []
    for _ in range(3):
        speech = bench.said(*messages)
        steps.append((speech.place.number, speech.place.cursor, speech.reply.finish))
        messages += turn_of(speech.reply)

    assert steps == [(1, "first", "tool_calls"), (2, "mark", "tool_calls"), (3, "mark", "stop")]


def test_a_retry_gets_the_same_step_with_ids_of_its_own():
    bench = Bench()

    first, second = bench.said(user()), bench.said(user())

    assert (first.place.number, second.place.number) == (1, 1)
    assert (first.served, second.served) == (1, 2)
    assert first.reply.calls[0].id != second.reply.calls[0].id
    assert first.reply.text != second.reply.text
    assert bench.step(user(), *turn_of(first.reply)) == (2, "mark")


def test_a_dropped_turn_is_played_again():
    bench = Bench()
    first = bench.said(user())
    bench.said(user(), *turn_of(first.reply))

    assert bench.step(user(), *turn_of(first.reply)) == (2, "mark")
    assert bench.step(user()) == (1, "first")


def test_calls_flattened_into_text_are_followed():
    bench = Bench(script=Script(turns=((APPEND, DONE),)))
    first = bench.said(user()).reply
    flattened = Message(role="user", text=f"You called append_file ({first.calls[0].id}): ok")

    assert bench.step(user(), flattened) == (2, "mark")


def test_any_one_mark_of_a_batch_is_enough():
    both = Step(say="I look.", calls=(*READ.calls, *APPEND.calls))
    for kept in (0, 1):
        bench = Bench(script=Script(turns=((both, DONE),)))
        id_ = bench.said(user()).reply.calls[kept].id
        assert bench.step(user(), Message(role="user", text=f"done: {id_}")) == (2, "mark")


def test_a_step_of_text_alone_is_followed_by_its_mark():
    bench = Bench(script=Script(turns=((DONE, AGAIN),)))
    first = bench.said(user()).reply

    assert first.text == f"Done. {MARKS.text_mark(0, 0, 1)}"
    assert bench.step(user(), Message(role="assistant", text=first.text), user()) == (2, "mark")


def test_brackets_that_a_markdown_writer_escapes_do_not_hide_a_mark():
    bench = Bench(script=Script(turns=((DONE, AGAIN),)))
    text = bench.said(user()).reply.text.replace("[", "\\[").replace("]", "\\]")

    assert bench.step(user(), Message(role="assistant", text=text)) == (2, "mark")


def test_what_was_served_three_times_is_not_said_again():
    bench = Bench()

    assert [bench.step(user())[0] for _ in range(7)] == [1, 1, 1, 2, 2, 2, 3]


def test_a_reply_that_our_own_fault_cut_does_not_count_as_said():
    bench = Bench(KINDS["ends_without_finish"](at="step 1", times=5))

    steps = [bench.step(user(), streaming=True)[0] for _ in range(9)]

    assert steps == [1] * 8 + [2]


def test_past_the_end_of_the_script_there_is_nothing_further():
    bench = Bench(script=Script(turns=((DONE,),)))
    first = bench.said(user()).reply

    over = bench.said(user(), *turn_of(first))

    assert (over.place.number, over.place.cursor) == (0, "overrun")
    assert (over.reply.text, over.reply.finish, over.reply.calls) == (
        "(nothing further)",
        "stop",
        (),
    )


def test_the_users_next_message_opens_the_next_turn():
    bench = Bench()
    first = bench.said(user()).reply

    assert bench.step(user(), *turn_of(first), user(1)) == (4, "first")


def test_a_subject_without_memory_is_at_its_own_turn():
    bench = Bench()
    bench.said(user())

    assert bench.step(user(1)) == (4, "first")


def test_a_message_that_lost_its_mark_is_taken_for_the_turn_that_was_started_last():
    bench = Bench()
    bench.provider.turn = 1

    assert bench.step(Message(role="user", text="reworded")) == (4, "count")


def test_a_subject_that_renames_ids_is_counted_and_flagged():
    bench = Bench(script=Script(turns=((APPEND, APPEND, DONE),)))
    bench.said(user())
    renamed = (
        Message(role="assistant", calls=(SaidCall(id="c1", name="append_file", arguments="{}"),)),
        Message(role="tool", text="ok", result_of="c1"),
    )

    assert bench.step(user(), *renamed) == (2, "count")


def test_a_half_said_text_without_its_mark_is_not_taken_for_a_step():
    bench = Bench()
    bench.said(user())

    assert bench.step(user(), Message(role="assistant", text="I lo"), user()) == (1, "first")


class TestRequestsWithoutTools:
    def test_a_title_request_is_a_side_request_and_moves_nothing(self):
        bench = Bench()

        side = bench.said(user(), tools=())

        assert (side.place.number, side.place.cursor, side.reply.calls) == (0, "side", ())
        assert "[ref" not in side.reply.text
        assert bench.step(user()) == (1, "first")

    def test_nobody_without_tools_is_answered_with_calls(self):
        bench = Bench()
        first = bench.said(user()).reply

        assert bench.step(user(), *turn_of(first), tools=()) == (0, "side")

    def test_the_loops_own_last_question_may_come_without_tools(self):
        bench = Bench(script=Script(turns=((READ, DONE),)))
        first = bench.said(user()).reply

        assert bench.step(user(), *turn_of(first), tools=()) == (2, "mark")

    def test_a_script_of_text_has_side_requests_too(self):
        bench = Bench(
            KINDS["truncated_text"](at="step 1"),
            KINDS["rate_limited"](at="step 1"),
            script=Script(turns=((DONE, AGAIN),)),
        )

        assert bench.step(user(), tools=()) == (0, "side")
        assert isinstance(bench.ask(user()), Failure)
        said = bench.said(user())
        assert (said.reply.finish, len(said.strikes)) == ("length", 1)
        assert bench.step(user(), *turn_of(said.reply), user(), tools=()) == (0, "side")

    def test_where_no_tools_are_offered_a_script_of_text_needs_none(self):
        bench = Bench(script=Script(turns=((DONE,),)), tools_offered=False)

        assert bench.step(user(), tools=()) == (1, "first")

    def test_who_forbids_calls_gets_none(self):
        bench = Bench(script=Script(turns=((READ, DONE),)))

        assert bench.step(user(), may_call=False) == (0, "side")
        first = bench.said(user()).reply
        assert bench.step(user(), *turn_of(first), may_call=False) == (2, "mark")


class TestOneCallAReply:
    """`parallel_tool_calls: false`: the calls of a step come one by one, and are one step still."""

    BOTH = Step(say="I do both.", calls=(*READ.calls, *APPEND.calls), finish="stop")
    SCRIPT = Script(turns=((BOTH, DONE),))

    def test_the_calls_of_a_step_take_a_reply_each(self):
        bench = Bench(script=self.SCRIPT)
        messages = [user()]
        said = []
        for _ in range(3):
            speech = bench.said(*messages, one_call=True)
            said.append(speech)
            messages += turn_of(speech.reply)

        assert [speech.place.number for speech in said] == [1, 1, 2]
        assert [speech.place.calls_before for speech in said] == [0, 1, 0]
        assert [[call.tool for call in speech.reply.calls] for speech in said] == [
            ["read_file"],
            ["append_file"],
            [],
        ]
        assert [bool(speech.reply.text) for speech in said] == [True, False, True]
        assert [speech.reply.finish for speech in said] == ["tool_calls", "stop", "stop"]
        assert len({call.id for speech in said for call in speech.reply.calls}) == 2

    def test_a_loop_that_repeats_a_request_is_told_the_same_part_again(self):
        bench = Bench(script=self.SCRIPT)
        first = bench.said(user(), one_call=True)
        again = bench.said(user(), one_call=True)
        rest = bench.said(user(), *turn_of(again.reply), one_call=True)
        rest_again = bench.said(user(), *turn_of(again.reply), one_call=True)

        assert (first.served, again.served, rest.served, rest_again.served) == (1, 2, 1, 2)
        assert first.reply.calls[0].id != again.reply.calls[0].id
        assert rest.reply.calls[0].id != rest_again.reply.calls[0].id

    def test_a_loop_that_changes_its_mind_gets_the_rest_at_once(self):
        bench = Bench(script=Script(turns=((Step(calls=READ.calls * 3), DONE),)))
        first = bench.said(user(), one_call=True)
        rest = bench.said(user(), *turn_of(first.reply))

        assert len(rest.reply.calls) == 2
        assert bench.step(user(), *turn_of(first.reply), *turn_of(rest.reply)) == (2, "mark")

    def test_what_is_odd_about_a_step_is_odd_about_its_end(self):
        bench = Bench(KINDS["empty_arguments"](at="step 1"), script=self.SCRIPT)
        first = bench.said(user(), one_call=True)
        last = bench.said(user(), *turn_of(first.reply), one_call=True)

        assert (first.strikes, [strike.kind for strike in last.strikes]) == (
            (),
            ["empty_arguments"],
        )
        assert (first.reply.calls[0].arguments, last.reply.calls[0].arguments) == (
            '{"path":"a"}',
            "",
        )


class TestRefusals:
    def test_a_damaged_conversation_is_refused_and_moves_nothing(self):
        bench = Bench()
        first = bench.said(user()).reply

        refusal = bench.ask(user(), turn_of(first)[0], user())

        assert isinstance(refusal, Refusal)
        assert (refusal.rule, refusal.status) == ("unpaired_calls", 400)
        assert bench.step(user(), *turn_of(first)) == (2, "mark")

    def test_past_the_cap_every_request_is_refused(self):
        bench = Bench(requests_max=2)
        bench.said(user())
        bench.said(user())

        refusal = bench.ask(user())

        assert isinstance(refusal, Refusal)
        assert (refusal.rule, refusal.code, refusal.status) == ("request_cap", "request_cap", 400)
        assert "request 3" in refusal.message


class TestFaults:
    def test_an_http_fault_answers_the_first_servings_of_its_step(self):
        bench = Bench(KINDS["rate_limited"](at="step 2", times=2, retry_after_s=3))
        first = bench.said(user()).reply

        answers = [bench.ask(user(), *turn_of(first)) for _ in range(3)]

        assert [type(answer) for answer in answers] == [Failure, Failure, Speech]
        assert answers[0].failure.retry_after_s == 3
        assert answers[2].served == 1

    def test_a_model_fault_strikes_each_time_its_step_is_said(self):
        bench = Bench(KINDS["truncated_arguments"](at="step 2", keep_chars=4))
        first = bench.said(user()).reply

        for _ in range(2):
            speech = bench.said(user(), *turn_of(first))
            assert speech.reply.calls[0].arguments == '{"pa'
            assert speech.intended == ('{"path":"a","line":"x"}',)
            assert [strike.kind for strike in speech.strikes] == ["truncated_arguments"]

    def test_a_reply_without_a_fault_intends_what_it_says(self):
        assert Bench().said(user()).intended == (None,)

    def test_a_text_cut_by_a_fault_keeps_its_mark_so_that_the_loop_can_go_on(self):
        bench = Bench(
            KINDS["truncated_text"](at="step 1", keep_chars=2),
            script=Script(turns=((DONE, AGAIN),)),
        )
        cut = bench.said(user()).reply

        assert cut.text == f"Do {MARKS.text_mark(0, 0, 1)}"
        assert bench.step(user(), *turn_of(cut), user()) == (2, "mark")

    def test_a_stream_fault_strikes_streams_only(self):
        bench = Bench(KINDS["reset_mid_stream"](at="step 1"))

        whole = bench.said(user())
        streamed = bench.said(user(), streaming=True)
        again = bench.said(user(), streaming=True)

        assert whole.breaks == ()
        ((items, strike),) = streamed.breaks
        assert (streamed.items[items - 1], strike.kind) == (Reset(), "reset_mid_stream")
        assert again.breaks == ()

    def test_what_a_fault_leaves_as_it_was_did_not_fire(self):
        bench = Bench(
            KINDS["missing_field"](at="step 1", field="colour"),
            KINDS["stall"](at="step 1", after_deltas=99),
            KINDS["contradicting_finish"](at="step 1", finish="tool_calls"),
        )

        speech = bench.said(user(), streaming=True)
        assert (speech.strikes, speech.breaks) == ((), ())

    @pytest.mark.parametrize(
        ("kind", "fields", "left"),
        [
            ("end_mark_missing", {}, 0),
            ("ends_without_finish", {}, 0),
            ("reset_mid_stream", {"after_deltas": 1}, 0),
            ("stall", {"after_deltas": 1}, 6),
        ],
    )
    def test_a_break_shows_where_the_stream_differs(self, kind, fields, left):
        speech = Bench(KINDS[kind](at="step 1", **fields)).said(user(), streaming=True)

        assert [len(speech.items) - items for items, _ in speech.breaks] == [left]

    def test_model_and_stream_faults_of_one_step_add_up(self):
        bench = Bench(
            KINDS["hallucinated_name"](at="step 1", name="read_files"),
            KINDS["ends_without_finish"](at="step 1"),
        )

        speech = bench.said(user(), streaming=True)

        assert speech.reply.calls[0].tool == "read_files"
        assert speech.items[-1] == Eof()
        assert [strike.fault for strike in speech.strikes] == [0]
        assert [strike.fault for _, strike in speech.breaks] == [1]


class TestUsage:
    def test_counts_are_the_same_every_time(self):
        counts = [
            (speech.reply.prompt_tokens, speech.reply.completion_tokens)
            for speech in (Bench().said(user()), Bench().said(user()))
        ]

        assert counts[0] == counts[1]
        assert min(counts[0]) > 0

    @pytest.mark.parametrize(("limit", "tokens"), [(50, 50), (None, 4096)])
    def test_a_reply_that_hit_its_limit_used_it_up(self, limit, tokens):
        bench = Bench(KINDS["truncated_arguments"](at="step 1"))

        assert bench.said(user(), max_tokens=limit).reply.completion_tokens == tokens


class TestBatchOfCall:
    def test_a_call_belongs_to_the_step_that_made_its_id(self):
        bench = Bench(script=Script(turns=((APPEND, APPEND),)))
        first = bench.said(user()).reply
        second = bench.said(user(), *turn_of(first)).reply

        assert bench.provider.batch_of(first.calls[0].id, "append_file") == (1, 1, 1)
        assert bench.provider.batch_of(second.calls[0].id, "append_file") == (2, 2, 1)

    def test_without_an_id_it_belongs_to_the_last_step_that_called_the_tool(self):
        bench = Bench()
        bench.said(user())

        assert bench.provider.batch_of(None, "read_file") == (1, 1, 1)
        assert bench.provider.batch_of(None, "append_file") is None


def test_equal_plays_are_answered_with_equal_values():
    def play() -> list[Speech]:
        bench = Bench(KINDS["glued_objects"](at="step 2", second={"path": "b"}))
        first = bench.said(user(), streaming=True)
        return [first, bench.said(user(), *turn_of(first.reply), streaming=True)]

    assert play() == play()
