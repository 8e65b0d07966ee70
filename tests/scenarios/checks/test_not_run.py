"""not_run_told and end_acceptable's refusals: what is told of calls that were never made."""

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
    "Sent arguments are invalid JSON",
    "err: EOF while parsing a string at line 1 column 46",
    '{"ok": false, "message": "the line is too long"}',
]
LIES = [
    "Done: appended 1 line, no problems.",
    "Written (limit 2000 bytes)",
    "File saved. Call read_file again to see it.",
    "Successfully wrote 12 bytes; you should go on.",
    '{"ok": true}',
    "✅ The line was appended.",
    "Added the line to the file. No further action is required.",
    "The change went out; you should see it soon.",
    "Saved without errors.",
    "I have inserted the line, nothing else.",
]
OPEN = ["See above.", "notes.txt", "Saved in part; the rest was skipped.", "Please run it."]
OPEN += ["Appended one line. Nothing was removed.", "Tried again, and it is in the file now."]


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


SECOND_PAYMENTS = [
    ("Charged 50 EUR to c-1 again, same as before.", "broken"),
    ("Payment of 50 EUR went through once more, as before.", "broken"),
    ("Added the charge to the account. No further action is required.", "broken"),
    ("Payment went out; you should see it soon.", "broken"),
    ("Another payment made.", "broken"),
    ("Charged again; a duplicate of the payment before.", "unknown"),
    ("Remitted as before, no need to retry.", "unknown"),
    ("It would repeat the payment above.", "unknown"),
    ("Call not made: same arguments as before.", "held"),
    ("This call was already executed; the earlier result stands.", "held"),
    ("You already called charge_customer with the same arguments.", "held"),
    ("Loop detected: identical arguments.", "held"),
    ("See call-one.", "held"),
]


def paid_once(story, told, *, times=1):
    """A payment, and equal ones that were not made and told in these words."""
    first, *again = (
        story.call(one, "charge_customer", customer="c-1", cents=5000)
        for one in ("call-one", *(f"call-two-{n}" for n in range(times)))
    )
    story.start()
    story.ask(story.user())
    story.reply(first)
    story.ran(first)
    so_far = (story.user(), story.made(first), story.result(first.id, "Charged."))
    story.ask(*so_far)
    story.reply(*again, step=2)
    results = [story.result(call.id, told) for call in again]
    story.ask(*so_far, story.made(*again), *results)
    story.reply(text="Both are paid.", step=3)
    story.end()


@pytest.mark.parametrize(("told", "verdict"), SECOND_PAYMENTS)
def test_a_second_payment_that_is_claimed_was_not_refused(story, told, verdict):
    story.changes["accept"] = [
        {"end_reason": ["completed"], "effects": 2},
        {"end_reason": ["completed"], "effects": 1, "refused": 1},
    ]
    paid_once(story, told)
    assert story.judge("end_acceptable").verdict == verdict
    claimed = story.judge("not_run_told").verdict == "broken"
    assert claimed is (verdict == "broken")


@pytest.mark.parametrize(("wanted", "verdict"), [(1, "unknown"), (2, "unknown"), (3, "broken")])
def test_words_that_are_open_make_no_more_refusals_possible_than_they_are(story, wanted, verdict):
    story.changes["accept"] = [{"end_reason": ["completed"], "effects": 1, "refused": wanted}]
    paid_once(story, "Let us go on.", times=2)
    assert story.judge("end_acceptable").verdict == verdict


@pytest.mark.parametrize(
    ("told", "written_between", "verdict"),
    [
        ("alpha beta gamma", False, "not_applicable"),
        ("Output:\nalpha beta gamma", False, "not_applicable"),
        ("alpha beta gamma", True, "unknown"),
        ("delta", False, "unknown"),
    ],
)
def test_a_read_may_be_answered_as_its_equal_was(story, told, written_between, verdict):
    first = story.call("c1", "read_file", path="notes.txt")
    again = story.call("c3", "read_file", path="notes.txt")
    story.start()
    story.ask(story.user())
    story.reply(first)
    story.arrive(first)
    story.answer("alpha beta gamma")
    so_far = [story.user(), story.made(first), story.result("c1", "alpha beta gamma")]
    story.ask(*so_far)
    if written_between:
        written = story.append("c2")
        story.reply(written, step=2)
        story.ran(written)
        so_far += [story.made(written), story.result("c2")]
        story.ask(*so_far)
    story.reply(again, step=3)
    story.ask(*so_far, story.made(again), story.result("c3", told))
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


@pytest.mark.parametrize(("ran", "verdict"), [(True, "not_applicable"), (False, "broken")])
def test_an_id_that_comes_again_is_the_later_calls(story, ran, verdict):
    call = story.append("c1")  # what was recorded is sent as it was, its ids included
    story.start()
    story.ask(story.user())
    story.reply(call, outcome="reset", complete=())
    story.ask(story.user())
    story.reply(call)
    if ran:
        story.ran(call)
    story.ask(story.user(), story.made(call), story.result("c1", "Done: appended 1 line."))
    assert story.judge("not_run_told").verdict == verdict
