"""not_run_told: what the model is told of calls that never reached the world."""

from __future__ import annotations

import pytest


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


REFUSALS = [
    "Tool readFile doesn't exist. Choose from: read_file, list_files",
    "Tool readFile doesn’t exist. Choose from: read_file, list_files",
    "It hasn't been called.",
    "Unrecognized tool",
    "readFile is undefined",
    "Nonexistent function",
    "Duplicate of another call",
    "Ignored",
    "Dropped: the reply was too long",
    "Pending, waiting for the user",
    "Superseded by the user's new message",
]
LIES = [
    "Done: appended 1 line, no problems.",
    "Written (limit 2000 bytes)",
    "File saved. Call read_file again to see it.",
    "Successfully wrote 12 bytes; you should go on.",
    '{"ok": true}',
    "✅ The line was appended.",
]
OPEN = ["See above.", "notes.txt", "Saved in part; the rest was skipped.", "Please run it."]


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        *((told, "held") for told in REFUSALS),
        *((told, "broken") for told in LIES),
        *((told, "unknown") for told in OPEN),
    ],
)
def test_only_plain_words_decide_what_was_told_of_a_call_that_was_not_made(story, told, verdict):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call, finish="length")
    story.ask(story.user(), story.made(call), story.result("c1", told))
    assert story.judge("not_run_told").verdict == verdict


@pytest.mark.parametrize(
    ("told", "path", "verdict"),
    [
        ("Same call as c1 earlier in this turn; its result is above.", "a.js", "not_applicable"),
        ("Already done, see c1.", "a.js", "not_applicable"),
        ("", "a.js", "broken"),
        ("Done.", "a.js", "broken"),
        ("Done.", "b.js", "broken"),
        ("The file was already written earlier.", "b.js", "broken"),
    ],
)
def test_a_repeat_that_was_not_made_may_point_to_the_call_that_was(story, told, path, verdict):
    first = story.call("c1", "read_file", path="a.js")
    again = story.call("c2", "read_file", path=path)
    story.start()
    story.ask(story.user())
    story.reply(first)
    story.arrive(first)
    story.answer("alpha")
    so_far = (story.user(), story.made(first), story.result("c1", "alpha"))
    story.ask(*so_far)
    story.reply(again, step=2)
    story.ask(*so_far, story.made(again), story.result("c2", told))
    assert story.judge("not_run_told").verdict == verdict


def test_a_call_that_was_made_may_be_told_as_done(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.ran(call)
    story.ask(story.user(), story.made(call), story.result("c1", "ok"))
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


@pytest.mark.parametrize(("tool", "verdict"), [("append_file", False), ("list_files", True)])
def test_only_what_could_be_the_call_makes_it_doubtful_whether_it_was_made(story, tool, verdict):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(story.call("own", tool, path="y", line="y"), named=False)
    story.arrive(story.call("own", tool, path="z", line="z"), named=False)
    story.ask(story.user(), story.made(call), story.result("c1", "not executed"))
    assert (story.judge("not_run_told").verdict == "held") is verdict
