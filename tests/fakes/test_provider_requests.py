"""Requests of a kind of their own: without tools, for one call a reply, refused ones."""

from faultloop.fakes.faults import KINDS
from faultloop.fakes.script import Script, Step
from faultloop.fakes.speech import Failure, Refusal

from .asked import AGAIN, APPEND, DONE, READ, Bench, turn_of, user


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
        assert (said.reply.finish, len(said.changes)) == ("length", 1)
        assert bench.step(user(), *turn_of(said.reply), user(), tools=()) == (0, "side")

    def test_where_no_tools_are_offered_a_script_of_text_needs_none(self):
        bench = Bench(script=Script(turns=((DONE,),)), tools_offered=False)

        assert bench.step(user(), tools=()) == (1, "first")

    def test_who_forbids_calls_gets_none(self):
        bench = Bench(script=Script(turns=((READ, DONE),)))

        assert bench.step(user(), may_call=False) == (0, "side")
        first = bench.said(user()).reply
        assert bench.step(user(), *turn_of(first), may_call=False) == (2, "mark")


class TestRequestsWithToolsForSomethingElse:
    def test_a_title_that_is_asked_for_by_a_tool_is_a_side_request(self):
        bench = Bench(tools=("append_file", "Bash"))

        assert bench.step(user(), tools=("session_title",)) == (0, "side")
        both = ("session_title", "mcp__world__append_file")
        assert bench.step(user(), tools=both) == (1, "first")
        assert bench.step(user(), tools=("Bash",)) == (1, "first")

    def test_where_nobody_knows_the_tools_any_may_be_the_loops_own(self):
        assert Bench().step(user(), tools=("session_title",)) == (1, "first")


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

        assert (first.changes, [one.strike.kind for one in last.changes]) == (
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
