"""answers_told, not_run_told, nearest_name_first, excerpt_bounded, world_asked and
failed_attempts_forgotten: what the model is told of its calls, and of what it said itself."""

from __future__ import annotations

import json

import pytest

A = "export const a = 1;\n"
B = "export const b = 2;\n"


def reads(story, first, second):
    """Two reads of a batch, answered, and told as `first` and `second`."""
    one = story.call("c1", "read_file", path="a.js")
    other = story.call("c2", "read_file", path="b.js")
    story.start()
    story.ask(story.user())
    story.reply(one, other)
    story.arrive(one)
    story.answer(A)
    story.arrive(other)
    story.answer(B)
    told = [story.result(*pair) for pair in (("c1", first), ("c2", second)) if pair[1] is not None]
    story.ask(story.user(), story.made(one, other), *told)


def changed(story, told, **answer):
    """One append that was answered, and told in these words."""
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    story.answer(**answer)
    story.ask(story.user(), story.made(call), story.result("c1", told))


# --- answers_told -----------------------------------------------------------------------------


@pytest.mark.parametrize("wrap", [str, json.dumps, lambda text: f"Output:\n{text[:26]}..."])
def test_an_answer_may_be_wrapped_and_cut(story, wrap):
    reads(story, wrap(A), wrap(B))
    assert story.judge("answers_told").verdict == "held"


def test_another_calls_answer_is_broken(story):
    reads(story, B, A)
    finding = story.judge("answers_told")
    assert finding.verdict == "broken"
    assert "another call's answer" in finding.sentence


def test_a_summary_is_left_alone(story):
    reads(story, "It exports a.", "It exports b.")
    assert story.judge("answers_told").verdict == "not_applicable"


def test_a_result_that_is_missing_is_another_checks_business(story):
    reads(story, A, None)
    assert story.judge("answers_told").verdict == "held"


def test_a_good_answer_is_not_taken_back(story):
    changed(story, "not executed: interrupted by user")
    finding = story.judge("answers_told")
    assert finding.verdict == "broken"
    assert "though it was answered 200" in finding.sentence


FAILURE = {"status": 500, "outcome": "failed", "body": '{"ok":false,"message":"disk is full"}'}


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("Error: disk is full", "held"),
        ("Tool execution failed.", "broken"),
        ("Done, the line was appended.", "broken"),
    ],
)
def test_a_failure_is_told_with_its_reason(story, told, verdict):
    changed(story, told, **FAILURE)
    assert story.judge("answers_told").verdict == verdict


def test_what_is_unknown_is_no_answer(story):
    changed(story, "The outcome is unknown.", status=504, outcome="unknown", body="<html>")
    assert story.judge("answers_told").verdict == "not_applicable"


@pytest.mark.parametrize("check", ["answers_told", "not_run_told", "nearest_name_first"])
def test_plain_text_cannot_be_judged(story, check):
    story.able["pairing"] = "text"
    finding = story.judge(check)
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", True)


# --- not_run_told -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("not executed: interrupted by user", "held"),
        ("[Request interrupted by user]", "held"),
        ("The reply was truncated.", "held"),
        ("ok", "broken"),
        ("", "broken"),
    ],
)
def test_a_call_that_was_not_made_is_told_so(story, told, verdict):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    replied = story.reply(call, finish="length")
    asked = story.ask(story.user(), story.made(call), story.result("c1", told))
    finding = story.judge("not_run_told")
    assert (finding.verdict, finding.positions) == (verdict, (replied, asked))


def test_a_call_that_was_made_may_be_told_as_done(story):
    changed(story, "ok")
    assert story.judge("not_run_told").verdict == "not_applicable"


def test_without_ids_nobody_knows_what_was_not_made(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(story.append("c2", line="y"), named=False)
    story.ask(story.user(), story.made(call), story.result("c1", "ok"))
    finding = story.judge("not_run_told")
    assert finding.verdict in ("not_applicable", "broken")


# --- nearest_name_first -----------------------------------------------------------------------


def misspelt(story, told, name="readFile"):
    call = story.call("c1", name, path="a.js")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.ask(story.user(), story.made(call), story.result("c1", told))


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("No tool readFile. There are: read_file, list_files, append_file.", "held"),
        ("No tool readFile. There are: append_file, list_files, read_file.", "broken"),
        ("No tool readFile. There are: append_file and 8 more.", "broken"),
        ("No such tool.", "not_applicable"),
    ],
)
def test_the_tool_that_was_meant_comes_first(story, told, verdict):
    misspelt(story, told)
    assert story.judge("nearest_name_first").verdict == verdict


def test_where_it_is_not_plain_what_was_meant_nothing_is_judged(story):
    misspelt(story, "There are: append_file, read_file.", name="open_file")
    assert story.judge("nearest_name_first").verdict == "not_applicable"


def test_a_name_that_was_understood_needs_no_list(story):
    call = story.call("c1", "readFile", path="a.js")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call, tool="read_file")
    story.answer(A)
    story.ask(story.user(), story.made(call), story.result("c1", A))
    assert story.judge("nearest_name_first").verdict == "held"


# --- excerpt_bounded --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "told", "verdict"),
    [
        (13_000, 3_900, "held"),
        (13_000, 4_100, "broken"),
        (3_000, 4_100, "not_applicable"),
    ],
)
def test_long_arguments_come_back_as_an_excerpt(story, length, told, verdict):
    call = story.call("c1", "append_file", raw='{"path":"' + "x" * length)
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.ask(story.user(), story.made(call), story.result("c1", "e" * told))
    assert story.judge("excerpt_bounded").verdict == verdict


def test_long_arguments_that_were_run_are_no_matter(story):
    call = story.append("c1", line="x" * 13_000)
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.ran(call)
    story.ask(story.user(), story.made(call), story.result("c1", "y" * 13_000))
    assert story.judge("excerpt_bounded").verdict == "not_applicable"


# --- world_asked ------------------------------------------------------------------------------


def lost(story, *, looked=False):
    """A pull request whose answer was lost, looked up or not before the next request."""
    story.able["journal"] = True
    call = story.call("c1", "create_pull_request", title="x")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    story.lose()
    if looked:
        query = story.call("c1:query", "find_pull_requests", title="x")
        story.arrive(query)
        story.answer("no pull requests")
    return call


@pytest.mark.parametrize(("looked", "verdict"), [(True, "held"), (False, "broken")])
def test_an_unknown_outcome_is_looked_up(story, looked, verdict):
    call = lost(story, looked=looked)
    story.ask(story.user(), story.made(call), story.result("c1", "The outcome is unknown."))
    assert story.judge("world_asked").verdict == verdict


def test_a_try_that_was_answered_after_all_needs_no_look(story):
    call = lost(story)
    story.arrive(call)
    story.answer("created")
    story.ask(story.user(), story.made(call), story.result("c1", "created"))
    assert story.judge("world_asked").verdict == "not_applicable"


def test_after_a_cancel_nobody_need_look(story):
    call = lost(story)
    story.act("cancel")
    story.end("aborted", code=1)
    story.start(turn=1, text="So?", resume=True)
    story.ask(story.user(), story.made(call), story.result("c1", "The outcome is unknown."))
    assert story.judge("world_asked").verdict == "not_applicable"


def test_a_stranger_cannot_know_how_to_ask(story):
    call = lost(story)
    story.able["journal"] = False
    story.ask(story.user(), story.made(call), story.result("c1", "The outcome is unknown."))
    finding = story.judge("world_asked")
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", True)


# --- failed_attempts_forgotten ----------------------------------------------------------------

TORN = "It seems to be about a shop, so I will read it. [ref a1]"
WHOLE = "It seems to be about a shop, so I will read it. [ref a2]"


@pytest.mark.parametrize(
    ("kept", "verdict"),
    [
        (WHOLE, "held"),
        (TORN[:30] + WHOLE, "broken"),
        (TORN[:30], "broken"),
        ("", "not_applicable"),
    ],
)
def test_torn_text_is_not_in_the_conversation(story, kept, verdict):
    story.start()
    story.ask(story.user())
    story.reply(text=TORN, outcome="reset")
    story.ask(story.user())
    story.reply(text=WHOLE)
    said = story.made()
    said = type(said)(role="assistant", text=kept)
    story.ask(story.user(), said, story.user("Go on."))
    assert story.judge("failed_attempts_forgotten").verdict == verdict


def test_a_text_that_was_cut_by_its_length_may_stay(story):
    story.start()
    story.ask(story.user())
    story.reply(text=TORN, finish="length")
    story.ask(story.user(), type(story.user())(role="assistant", text=TORN))
    assert story.judge("failed_attempts_forgotten").verdict == "not_applicable"
