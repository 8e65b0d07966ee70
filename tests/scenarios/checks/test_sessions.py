"""next_turn_well_formed, input_kept and results_kept: what is left of a session."""

from __future__ import annotations

import pytest


def killed_in_a_call(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    ended = story.kill()
    story.start(turn=1, text="So?", resume=True)
    return ended, call


# --- next_turn_well_formed --------------------------------------------------------------------


def test_a_repaired_conversation_holds(story):
    _, call = killed_in_a_call(story)
    request = story.ask(
        story.user(), story.made(call), story.result("c1", "unknown"), story.user("So?")
    )
    finding = story.judge("next_turn_well_formed")
    assert (finding.verdict, finding.positions) == ("held", (request,))


def test_a_poisoned_conversation_is_broken(story):
    _, call = killed_in_a_call(story)
    request = story.ask(story.user(), story.made(call), story.user("So?"))
    refused = story.refuse("unpaired_calls")
    finding = story.judge("next_turn_well_formed")
    assert (finding.verdict, finding.positions) == ("broken", (request, refused))


def test_a_flaw_that_the_provider_overlooked_is_broken_too(story):
    _, call = killed_in_a_call(story)
    request = story.ask(story.user(), story.made(call), story.user("So?"))
    story.reply(text="Hm.", turn=1, step=2)
    finding = story.judge("next_turn_well_formed")
    assert (finding.verdict, finding.positions) == ("broken", (request,))


def test_a_session_that_refuses_itself_is_broken(story):
    killed_in_a_call(story)
    ended = story.end("error", error="duplicate tool call id")
    finding = story.judge("next_turn_well_formed")
    assert (finding.verdict, finding.positions) == ("broken", (ended - 1, ended))
    assert "duplicate tool call id" in finding.sentence


def test_a_session_that_stays_silent_is_unknown(story):
    killed_in_a_call(story)
    story.end("blocked")
    assert story.judge("next_turn_well_formed").verdict == "unknown"


def test_a_refusal_counts_for_text_pairing_too(story):
    killed_in_a_call(story)
    story.able["pairing"] = "text"
    story.ask(story.user())
    story.refuse("object_arguments")
    assert story.judge("next_turn_well_formed").verdict == "broken"


def test_accepted_plain_text_cannot_be_judged_further(story):
    killed_in_a_call(story)
    story.able["pairing"] = "text"
    story.ask(story.user())
    story.reply(text="Hm.", turn=1, step=2)
    finding = story.judge("next_turn_well_formed")
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", True)
    assert "were accepted" in finding.sentence


def test_the_first_turn_is_not_applicable(story):
    story.start()
    story.ask(story.user(), story.made(story.append("c1")))
    story.end()
    assert story.judge("next_turn_well_formed").verdict == "not_applicable"


def test_a_subject_that_remembers_nothing_has_no_session(story):
    killed_in_a_call(story)
    story.ask(story.user())
    story.able["resume"] = "rerun"
    assert story.judge("next_turn_well_formed").verdict == "not_applicable"


# --- input_kept -------------------------------------------------------------------------------


def test_an_input_that_is_still_there_holds(story):
    ended, call = killed_in_a_call(story)
    request = story.ask(story.user("Add x to notes.txt. [ref 0]"), story.made(call))
    finding = story.judge("input_kept")
    assert (finding.verdict, finding.positions) == ("held", (ended, request))


def test_an_input_that_is_gone_is_broken(story):
    ended, _ = killed_in_a_call(story)
    request = story.ask(story.user("So?"))
    finding = story.judge("input_kept")
    assert (finding.verdict, finding.positions) == ("broken", (ended, request))


@pytest.mark.parametrize("reason", ["completed", "max_tokens"])
def test_a_turn_that_ended_in_order_proves_nothing(story, reason):
    story.start()
    story.ask(story.user())
    story.end(reason)
    story.start(turn=1, text="So?", resume=True)
    story.ask(story.user("So?"))
    assert story.judge("input_kept").verdict == "not_applicable"


def test_a_subject_that_is_simply_run_again_keeps_nothing(story):
    killed_in_a_call(story)
    story.ask(story.user("So?"))
    story.able["resume"] = "rerun"
    assert story.judge("input_kept").verdict == "not_applicable"


# --- results_kept -----------------------------------------------------------------------------


def done_in_a_turn(story):
    """A call that took effect; the positions that prove it."""
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    proof = (story.effect(), story.answer())
    story.end("completed")
    story.start(turn=1, text="So?", resume=True)
    return call, proof


def test_a_result_that_is_still_there_holds(story):
    call, proof = done_in_a_turn(story)
    request = story.ask(
        story.user(), story.made(call), story.result("c1", "done"), story.user("So?")
    )
    finding = story.judge("results_kept")
    assert (finding.verdict, finding.positions) == ("held", (*proof, request))


def test_a_turn_of_which_only_the_words_are_left_is_broken(story):
    _, proof = done_in_a_turn(story)
    request = story.ask(story.user(), story.user("So?"))
    finding = story.judge("results_kept")
    assert (finding.verdict, finding.positions) == ("broken", (*proof, request))


def test_a_call_under_an_id_that_nobody_gave_may_be_the_one(story):
    done_in_a_turn(story)
    own = story.append("own", line="something else")
    story.ask(story.user(), story.made(own), story.result("own", "done"))
    assert story.judge("results_kept").verdict == "unknown"


def test_what_was_never_answered_is_judged_elsewhere(story):
    killed_in_a_call(story)
    story.ask(story.user(), story.user("So?"))
    assert story.judge("results_kept").verdict == "not_applicable"


@pytest.mark.parametrize("able", [{"resume": "rerun"}, {"pairing": "text"}])
def test_who_shows_no_calls_later_cannot_be_judged(story, able):
    done_in_a_turn(story)
    story.ask(story.user("So?"))
    story.able.update(able)
    finding = story.judge("results_kept")
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", True)
