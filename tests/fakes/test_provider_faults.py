"""The provider's faults: which replies they strike, and what is left of those."""

import pytest

from faultloop.fakes.faults import KINDS
from faultloop.fakes.reply import Eof, Reset
from faultloop.fakes.script import Script
from faultloop.fakes.speech import Failure, Speech

from .asked import AGAIN, APPEND, DONE, MARKS, Bench, turn_of, user


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
            assert [one.strike.kind for one in speech.changes] == ["truncated_arguments"]

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

        assert whole.reshapings == ()
        (one,) = streamed.reshapings
        assert streamed.items[one.shows_after - 1] == Reset()
        assert one.strike.kind == "reset_mid_stream"
        assert again.reshapings == ()

    def test_what_a_fault_leaves_as_it_was_did_not_fire(self):
        bench = Bench(
            KINDS["missing_field"](at="step 1", field="colour"),
            KINDS["stall"](at="step 1", after_deltas=99),
            KINDS["contradicting_finish"](at="step 1", finish="tool_calls"),
        )

        speech = bench.said(user(), streaming=True)
        assert (speech.changes, speech.reshapings) == ((), ())

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

        assert [len(speech.items) - one.shows_after for one in speech.reshapings] == [left]

    def test_model_and_stream_faults_of_one_step_add_up(self):
        bench = Bench(
            KINDS["hallucinated_name"](at="step 1", name="read_files"),
            KINDS["ends_without_finish"](at="step 1"),
        )

        speech = bench.said(user(), streaming=True)

        assert speech.reply.calls[0].tool == "read_files"
        assert speech.items[-1] == Eof()
        assert [one.strike.fault for one in speech.changes] == [0]
        assert [one.strike.fault for one in speech.reshapings] == [1]


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
