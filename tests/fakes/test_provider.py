"""The provider follows lineage: short stories of loops that retry, forget, flatten and run on."""

from faultloop.fakes.conversation import Message, SaidCall
from faultloop.fakes.faults import KINDS
from faultloop.fakes.script import Script, Step

from .asked import AGAIN, APPEND, DONE, MARKS, READ, Bench, turn_of, user


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
