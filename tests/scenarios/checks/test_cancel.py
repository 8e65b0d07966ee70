"""nothing_after_cancel, cut_told, queue_honoured: what a user does while the loop runs."""

from __future__ import annotations

import pytest

# --- nothing_after_cancel ---------------------------------------------------------------------


def cancelled_in_a_call(story, call, **fields):
    story.start()
    story.ask(story.user())
    story.reply(call)
    arrived = story.arrive(call, **fields)
    return arrived, story.act("cancel")


def test_ending_at_once_holds(story):
    _, cancel = cancelled_in_a_call(story, story.append("c1"))
    story.let_go()
    ended = story.end("aborted")
    finding = story.judge("nothing_after_cancel")
    assert (finding.verdict, finding.positions) == ("held", (cancel, ended))


def test_a_started_call_may_finish(story):
    cancelled_in_a_call(story, story.append("c1"))
    story.effect()
    story.answer()
    story.end("aborted")
    assert story.judge("nothing_after_cancel").verdict == "held"


def test_a_request_after_the_cancelled_call_came_back_is_broken(story):
    _, cancel = cancelled_in_a_call(story, story.append("c1"))
    story.answer()
    request = story.ask(story.user())
    story.end("completed")
    finding = story.judge("nothing_after_cancel")
    assert (finding.verdict, finding.positions) == ("broken", (cancel, request))


def next_of_the_batch(story, *, alone_s, before_it_is_over=False, known=True):
    """Two calls; the first is cancelled, and `alone_s` after its arrival the second arrives."""
    one, two = story.append("c1"), story.append("c2", "y")
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    story.arrive(one)
    cancel = story.act("cancel")
    story.now_s += alone_s
    if not before_it_is_over:
        story.let_go()
    else:
        story.close()
    arrived = story.arrive(two if known else story.append("c9", "z"), named=known)
    story.end("aborted")
    return cancel, arrived


def test_the_next_call_of_a_batch_that_runs_one_by_one_is_broken(story):
    proof = next_of_the_batch(story, alone_s=1.0)
    finding = story.judge("nothing_after_cancel")
    assert (finding.verdict, finding.positions) == ("broken", proof)


@pytest.mark.parametrize("known", [True, False])
def test_a_call_that_may_have_been_sent_with_its_batch_is_unknown(story, known):
    proof = next_of_the_batch(story, alone_s=0.01, known=known)
    finding = story.judge("nothing_after_cancel")
    assert (finding.verdict, finding.positions) == ("unknown", proof)


def test_a_call_beside_one_that_is_still_under_way_was_on_its_way(story):
    next_of_the_batch(story, alone_s=1.0, before_it_is_over=True)
    assert story.judge("nothing_after_cancel").verdict == "held"


def test_processes_that_outlive_a_cancelled_start_are_broken(story):
    _, cancel = cancelled_in_a_call(story, story.append("c1"))
    story.let_go()
    story.end("aborted")
    left = story.leave(2)
    finding = story.judge("nothing_after_cancel")
    assert (finding.verdict, finding.positions) == ("broken", (cancel, left))
    assert finding.sentence == "2 processes of the cancelled start outlived it"


def test_a_command_that_cannot_be_stopped_may_be_left(story):
    call = story.call("c1", "run_command", command="npm test")
    cancelled_in_a_call(story, call, own=True, named=False)
    story.let_go(stopped=False)
    story.end("aborted")
    story.leave()
    assert story.judge("nothing_after_cancel").verdict == "held"


def test_a_connection_that_is_closed_where_that_cancels_nothing_is_broken(story):
    arrived, cancel = cancelled_in_a_call(story, story.append("c1"))
    story.disconnect()
    ended = story.end("aborted")
    story.open_gate()
    late = story.effect("append_file")
    finding = story.judge("nothing_after_cancel")
    assert (finding.verdict, finding.positions) == ("broken", (arrived, cancel, ended, late))
    assert "closed the connection, which over MCP cancels nothing" in finding.sentence


def test_a_cancel_that_comes_behind_the_closed_connection_is_held(story):
    cancelled_in_a_call(story, story.append("c1"))
    story.disconnect()
    story.let_go()
    story.end("aborted")
    story.open_gate()
    assert story.judge("nothing_after_cancel").verdict == "held"


def test_what_was_on_its_way_is_not_new(story):
    one, two = (story.call(name, "read_file", path="notes.txt") for name in ("c1", "c2"))
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    story.arrive(one)
    story.act("cancel")
    story.arrive(two)
    story.let_go(invocation=1)
    story.let_go(invocation=2)
    story.end("aborted")
    assert story.judge("nothing_after_cancel").verdict == "held"


def test_a_call_of_a_reply_that_came_after_the_cancel_is_broken(story):
    story.start()
    story.ask(story.user())
    cancel = story.act("cancel")
    story.reply(story.append("c1"))
    arrived = story.arrive(story.append("c1"))
    story.end("completed")
    finding = story.judge("nothing_after_cancel")
    assert (finding.verdict, finding.positions) == ("broken", (cancel, arrived))


def test_a_command_that_outlives_its_subject_is_broken(story):
    call = story.call("c1", "run_command", command="npm test")
    arrived, cancel = cancelled_in_a_call(story, call, own=True, named=False)
    ended = story.end("aborted")
    story.open_gate()
    late = story.effect("run_command")
    finding = story.judge("nothing_after_cancel")
    assert finding.verdict == "broken"
    assert finding.positions == (arrived, cancel, ended, late)


def late_effect_of_what_cannot_be_stopped(story):
    call = story.append("c1")
    cancelled_in_a_call(story, call)
    story.let_go(stopped=False)
    story.end("aborted")
    story.open_gate()
    story.effect()
    return call


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("It could not be stopped and may still be running.", "held"),
        ("not executed: interrupted by user", "broken"),
        ("aborted", "unknown"),
    ],
)
def test_what_cannot_be_stopped_is_reported_as_running(story, told, verdict):
    call = late_effect_of_what_cannot_be_stopped(story)
    story.start(turn=1, text="So?", resume=True)
    story.ask(story.user(), story.made(call), story.result("c1", told), story.user("So?"))
    assert story.judge("nothing_after_cancel").verdict == verdict


def test_what_plain_text_tells_of_it_cannot_be_judged(story):
    late_effect_of_what_cannot_be_stopped(story)
    story.able["pairing"] = "text"
    story.start(turn=1, text="So?", resume=True)
    story.ask(story.user("RESULT of c1: It may still be running."), story.user("So?"))
    finding = story.judge("nothing_after_cancel")
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", True)


def test_what_nobody_asked_about_is_unknown(story):
    late_effect_of_what_cannot_be_stopped(story)
    assert story.judge("nothing_after_cancel").verdict == "unknown"


def test_the_next_start_is_free_to_begin(story):
    cancelled_in_a_call(story, story.append("c1"))
    story.let_go()
    story.end("aborted")
    story.start(turn=1, text="So?", resume=True)
    story.ask(story.user())
    assert story.judge("nothing_after_cancel").verdict == "held"


def test_no_cancel_is_not_applicable(story):
    story.start()
    story.ask(story.user())
    story.end()
    assert story.judge("nothing_after_cancel").verdict == "not_applicable"


# --- cut_told ---------------------------------------------------------------------------------


def next_turn_after_a_cancel(story, *messages, reason="aborted"):
    call = story.append("c1")
    _, cancel = cancelled_in_a_call(story, call)
    story.let_go()
    story.end(reason)
    story.start(turn=1, text="Cancel nothing, go on.", resume=True)
    asked = (story.user(), *messages, story.user("Cancel nothing, go on. [ref 1]"))
    return cancel, story.ask(*asked)


@pytest.mark.parametrize("text", ["not executed: interrupted by user", "Command aborted"])
def test_a_synthetic_result_tells_of_the_cut(story, text):
    proof = next_turn_after_a_cancel(
        story, story.made(story.append("c1")), story.result("c1", text)
    )
    finding = story.judge("cut_told")
    assert (finding.verdict, finding.positions) == ("held", proof)


def test_a_notice_tells_of_the_cut(story):
    next_turn_after_a_cancel(story, story.user("<turn_aborted>"))
    assert story.judge("cut_told").verdict == "held"


def test_the_users_own_words_are_no_notice(story):
    proof = next_turn_after_a_cancel(story)
    finding = story.judge("cut_told")
    assert (finding.verdict, finding.positions) == ("broken", proof)


@pytest.mark.parametrize("reason", ["interrupted", "max_steps", "did_not_end"])
def test_any_end_but_completion_is_a_cut(story, reason):
    next_turn_after_a_cancel(story, reason=reason)
    assert story.judge("cut_told").verdict == "broken"


def test_a_rejected_connection_is_no_cut(story):
    own = story.user("Error: connection was rejected by the server")
    next_turn_after_a_cancel(story, own)
    assert story.judge("cut_told").verdict == "broken"


def test_the_result_of_a_call_that_was_closed_before_tells_of_nothing(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    story.answer("The job was aborted by its owner.")
    story.act("cancel")
    story.end("aborted")
    story.start(turn=1, text="Go on.", resume=True)
    result = story.result("c1", "The job was aborted by its owner.")
    story.ask(story.user(), story.made(call), result, story.user("Go on. [ref 1]"))
    assert story.judge("cut_told").verdict == "broken"


def test_a_turn_that_completed_all_the_same_was_not_cut(story):
    next_turn_after_a_cancel(story, reason="completed")
    assert story.judge("cut_told").verdict == "not_applicable"


def test_a_subject_without_memory_cannot_tell(story):
    next_turn_after_a_cancel(story)
    story.able["resume"] = "rerun"
    assert story.judge("cut_told").verdict == "not_applicable"


# --- queue_honoured ---------------------------------------------------------------------------


def steered_in_a_batch(story, do="steer"):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    spoken = story.act(do, "use y instead")
    story.answer()
    return spoken, (story.user(), story.made(call), story.result("c1"))


def test_steering_enters_the_next_request(story):
    spoken, before = steered_in_a_batch(story)
    request = story.ask(*before, story.user("use y instead"))
    finding = story.judge("queue_honoured")
    assert (finding.verdict, finding.positions) == ("held", (spoken, request))


def test_steering_that_enters_late_is_broken(story):
    spoken, before = steered_in_a_batch(story)
    due = story.ask(*before)
    story.reply(text="Done.")
    heard = story.ask(*before, story.user("use y instead"))
    finding = story.judge("queue_honoured")
    assert (finding.verdict, finding.positions) == ("broken", (spoken, due, heard))


def test_a_request_that_was_on_its_way_is_passed_over(story):
    story.start()
    story.act("steer", "use y instead")
    story.ask(story.user())
    story.reply(text="Done.")
    story.ask(story.user(), story.user("use y instead"))
    assert story.judge("queue_honoured").verdict == "held"


def test_steering_that_is_never_heard_is_broken(story):
    spoken, before = steered_in_a_batch(story)
    request = story.ask(*before)
    story.reply(text="Done.")
    ended = story.end()
    finding = story.judge("queue_honoured")
    assert (finding.verdict, finding.positions) == ("broken", (spoken, request, ended))


def test_steering_that_is_heard_twice_is_broken(story):
    _, before = steered_in_a_batch(story)
    story.ask(*before, story.user("use y instead"), story.user("use y instead"))
    assert story.judge("queue_honoured").verdict == "broken"


def test_a_follow_up_waits_until_the_loop_would_stop(story):
    _, before = steered_in_a_batch(story, "follow_up")
    story.ask(*before)
    story.reply(text="Done.")
    story.ask(*before, story.user("use y instead"))
    assert story.judge("queue_honoured").verdict == "held"


def test_a_follow_up_that_cuts_in_is_broken(story):
    spoken, before = steered_in_a_batch(story, "follow_up")
    request = story.ask(*before, story.user("use y instead"))
    finding = story.judge("queue_honoured")
    assert (finding.verdict, finding.positions) == ("broken", (spoken, request))


def test_queued_input_may_go_with_the_cancelled_turn(story):
    steered_in_a_batch(story)
    story.act("cancel")
    story.end("aborted")
    assert story.judge("queue_honoured").verdict == "held"


def test_words_to_a_dying_process_are_unknown(story):
    steered_in_a_batch(story)
    story.kill()
    assert story.judge("queue_honoured").verdict == "unknown"


def test_silence_is_not_applicable(story):
    story.start()
    story.ask(story.user())
    assert story.judge("queue_honoured").verdict == "not_applicable"
