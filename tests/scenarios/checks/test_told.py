"""unknown_outcome_told and the table of phrases: what the model hears of an uncertain effect."""

from __future__ import annotations

import pytest

from faultloop.scenarios.phrases import PHRASES, understand

# --- phrases ----------------------------------------------------------------------------------

SPOKEN = {
    "denies": [
        "Tool execution was cancelled by the user (tool `run_terminal_command` was not executed).",
        "The tool use was rejected (... NOT written)",
        "not executed: interrupted by user",
        "The command did not run.",
        "The charge hasn't been made.",
        "Nothing happened: the call never started.",
        "It was stopped with no effect.",
        "No open pull request has the title 'Fix it'.",
        "no charge was found for cus_1",
        "Unknown error: the call failed. Nothing happened.",
        "Charge failed: nothing was charged",
        "Error: the tool timed out and did nothing.",
        "The payment failed and was rolled back.",
        "No charges for cus_1.",
    ],
    "contradicts": [
        "The outcome is unknown. The command was not executed.",
        "It may have run. Nothing was charged.",
        "Interrupted before a result was produced; it was not executed.",
    ],
    "admits": [
        "...no result was durably recorded. Its outcome is unknown... Do not retry blindly.",
        "[Tool call interrupted: its outcome is unknown. Check whether it took effect...]",
        "It may have taken effect. Check with find_pull_requests first, and repeat it only if it "
        "did not.",
        "It may not have been executed.",
        "The call might or might not have run.",
        "We could not confirm that the charge was made.",
        "Timed out; check before you call it again.",
        "The work could not be stopped, so it may still be running.",
        "outcome unknown: no result of this call was recorded. It may or may not have taken "
        "effect. Check what is there before you repeat it.",
        "The outcome is unknown: HTTP 504. No charge id was returned.",
        "The outcome is unknown: no file contents were returned.",
        "Tool crashed: state unknown, so it must not be run again. No changes could be confirmed.",
        "We do not know if it was executed or not executed.",
        "I don't know if it was executed.",
        "We can't tell: it was not executed, or it was.",
        "Execution state uncertain; assume it was not executed unless a check shows otherwise.",
        "Assume it was not executed unless a check shows otherwise.",
        "The request timed out. It is possible that the charge was not made.",
        "The tool timed out; possibly it was executed, possibly not.",
        "The server gave no answer in time. Don't assume that it was not created.",
        "Do not assume that it did not happen.",
        "The process crashed while this call was running; verify its effect before repeating it.",
        "The payment may have gone through. Check before you retry.",
        "The charge may or may not have been made.",
        "Interrupted. The result was lost. It could have landed or been processed.",
        "The connection was lost after the request was sent; the outcome is unknown.",
        '{"outcome": "unknown"}',
        "The tool call was interrupted before a result was produced.",
        "It was cancelled before its result could be returned.",
    ],
    "confirms": [
        "Pull request #1 was already created by this very call.",
        "It did take effect.",
        "The charge to cus_1 was found.",
        "The charge was made and the request has been processed.",
        '{"ok": true, "data": "x"}',
    ],
    "invites": [
        "An error occurred while running the tool. Please try again.",
        "Now let's retry: take care not to repeat previous errors!",
        "unknown error: Please try again as soon as possible",
    ],
    "silent": [
        "aborted",
        "No result provided",
        "[Tool execution was interrupted]",
        "Tool was interrupted.",
        "[Request interrupted by user for tool use]",
        "It ended before it was found that a result was wrong.",
        "<html><head><title>504 Gateway Time-out</title></head></html>",
        "The server didn't send a response in time.",
        "Tool failed: 504",
        "unknown tool",
        "Unknown error",
        "The tool has failed. unknown reason.",
        "Result: failed (exit status unknown)",
        "HTTP 504: the upstream service is unknown. The charge failed.",
        "The result could not be parsed. Unknown exception",
        "The process crashed while this call was running",
        "Nothing was returned.",
        "No errors were found.",
        "No charge id was created.",
        "Maybe the tool is down. Check the arguments before you retry.",
        "",
    ],
}


@pytest.mark.parametrize(
    ("tone", "text"), [(tone, text) for tone, texts in SPOKEN.items() for text in texts]
)
def test_a_sentence_has_a_tone(tone, text):
    assert understand(text).tone == tone


def test_every_phrase_has_a_source():
    assert all(phrase.source for phrase in PHRASES)


# --- unknown_outcome_told ---------------------------------------------------------------------


def uncertain(story, *, applied=True):
    """A call is answered 504, its effect applied or not; returns the proof so far."""
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    proof = [story.arrive(call)]
    if applied:
        proof.append(story.effect())
    proof.append(story.lose())
    return proof


def told(story, text):
    return story.ask(story.user(), story.made(story.append("c1")), story.result("c1", text))


@pytest.mark.parametrize(
    ("text", "applied", "verdict"),
    [
        ("The outcome is unknown; check first.", True, "held"),
        ("The outcome is unknown; check first.", False, "held"),
        ("It was not executed.", True, "broken"),
        ("It was not executed.", False, "held"),
        ("It was already created.", True, "held"),
        ("It was already created.", False, "broken"),
        ("Error. Please try again.", True, "broken"),
        ("Error. Please try again.", False, "unknown"),
        ("504 Gateway Time-out", True, "unknown"),
        ("The outcome is unknown. It was not executed.", True, "unknown"),
        ("The outcome is unknown. It was not executed.", False, "held"),
        ("Unknown error: the call failed. Nothing happened.", True, "broken"),
    ],
)
def test_words_are_compared_with_the_ledger(story, text, applied, verdict):
    proof = uncertain(story, applied=applied)
    request = told(story, text)
    finding = story.judge("unknown_outcome_told")
    assert finding.verdict == verdict
    assert finding.positions == (*proof, request)


def test_a_call_that_vanished_is_broken(story):
    proof = uncertain(story)
    request = story.ask(story.user(), story.user("carry on"))
    finding = story.judge("unknown_outcome_told")
    assert finding.verdict == "broken"
    assert finding.positions == (*proof, request)
    assert "says nothing of the call" in finding.sentence


def test_a_call_without_effect_may_vanish(story):
    uncertain(story, applied=False)
    story.ask(story.user())
    assert story.judge("unknown_outcome_told").verdict == "not_applicable"


def test_a_call_that_may_be_repeated_may_vanish(story):
    call = story.call("c1", "write_file", path="notes.txt", content="x")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    story.effect("write_file")
    story.kill()
    story.start()
    story.ask(story.user())
    assert story.judge("unknown_outcome_told").verdict == "not_applicable"


def test_a_notice_beside_the_result_may_doubt_for_it(story):
    uncertain(story)
    call = story.append("c1")
    notice = story.user("The call's outcome is unknown.")
    story.ask(story.user(), story.made(call), story.result("c1", "aborted"), notice)
    assert story.judge("unknown_outcome_told").verdict == "held"


def test_a_denial_outweighs_the_doubt_beside_it(story):
    uncertain(story)
    call = story.append("c1")
    notice = story.user("The call's outcome is unknown.")
    story.ask(story.user(), story.made(call), story.result("c1", "was not executed"), notice)
    assert story.judge("unknown_outcome_told").verdict == "broken"


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("The outcome is unknown. read_file says: No charges for cus_1.", "held"),
        ("The outcome is unknown. Nothing was charged.", "unknown"),
        ("No charges for cus_1.", "broken"),
    ],
)
def test_a_denial_that_is_only_quoted_from_a_look_does_not_undo_the_doubt(story, told, verdict):
    uncertain(story)
    story.arrive(story.call("look", "read_file", path="a.js"), named=False)
    story.answer("No charges for cus_1.")
    call = story.append("c1")
    story.ask(story.user(), story.made(call), story.result("c1", told))
    assert story.judge("unknown_outcome_told").verdict == verdict


def test_a_killed_call_is_uncertain(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    arrived, effect = story.arrive(call), story.effect()
    ended = story.kill()
    story.start(text="", resume=True)
    request = told(story, "(tool `append_file` was not executed)")
    finding = story.judge("unknown_outcome_told")
    assert finding.verdict == "broken"
    assert finding.positions == (arrived, effect, ended, request)


def test_the_worlds_own_answer_is_the_truth(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.ran(call)
    story.kill()
    story.start(text="", resume=True)
    told(story, "Done: appended 1 line to notes.txt.")
    assert story.judge("unknown_outcome_told").verdict == "held"


def test_a_call_whose_result_was_used_before_the_kill_is_certain(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.ran(call)
    told(story, "Done: appended 1 line to notes.txt.")
    story.kill()
    story.start(text="", resume=True)
    told(story, "Done: appended 1 line to notes.txt.")
    assert story.judge("unknown_outcome_told").verdict == "not_applicable"


def test_a_call_that_was_stopped_without_effect_needs_no_doubt(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    story.act("cancel")
    story.let_go(stopped=True)
    story.end("aborted")
    story.start(turn=1, text="Go on.", resume=True)
    told(story, "Tool was interrupted.")
    assert story.judge("unknown_outcome_told").verdict == "not_applicable"


def test_a_read_is_never_uncertain(story):
    call = story.call("c1", "read_file", path="notes.txt")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    story.lose()
    story.ask(story.user(), story.made(call), story.result("c1", "was not executed"))
    assert story.judge("unknown_outcome_told").verdict == "not_applicable"


def test_no_request_after_it_is_not_applicable(story):
    uncertain(story)
    story.end("error")
    assert story.judge("unknown_outcome_told").verdict == "not_applicable"


def test_text_pairing_is_not_applicable(story):
    uncertain(story)
    told(story, "It was not executed.")
    story.able["pairing"] = "text"
    finding = story.judge("unknown_outcome_told")
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", True)


# --- call ids of the subject's own ------------------------------------------------------------


def renumbered(story, text, **args):
    """The next request shows the call under another id, with these arguments."""
    call = story.call("call_7", "append_file", **(args or {"path": "notes.txt", "line": "x"}))
    return story.ask(story.user(), story.made(call), story.result("call_7", text))


@pytest.mark.parametrize(
    ("text", "verdict"), [("The outcome is unknown.", "held"), ("It was not executed.", "broken")]
)
def test_a_call_is_found_under_the_id_that_the_subject_gave_it(story, text, verdict):
    proof = uncertain(story)
    request = renumbered(story, text)
    finding = story.judge("unknown_outcome_told")
    assert (finding.verdict, finding.positions) == (verdict, (*proof, request))


def test_a_call_that_cannot_be_found_among_the_subjects_own_is_unknown(story):
    uncertain(story)
    renumbered(story, "It was not executed.", path="other.txt", line="y")
    assert story.judge("unknown_outcome_told").verdict == "unknown"
