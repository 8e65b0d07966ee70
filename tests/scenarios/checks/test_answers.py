"""failure_explained, output_in_budget, exclusive_not_overlapping: answers, sizes, company."""

from __future__ import annotations

import pytest

from faultloop.fakes.conversation import Message, SaidCall
from faultloop.scenarios.checks.output_in_budget import own_words

# --- failure_explained ------------------------------------------------------------------------


def explained(story, call, text, **reply):
    story.start()
    story.ask(story.user())
    replied = story.reply(call, **reply)
    request = story.ask(story.user(), story.made(call), story.result(call.id, text))
    return replied, request


BROKEN_JSON = '{"path":"notes.txt","line":"x'

ANSWERS = [
    ("append_file", '{"path":"a"}', r'{"error": "these are missing:\nline\nTry again"}', "held"),
    ("append_file", '{"path":"a"}', r'{"error": "it is offline\nTry again"}', "broken"),
    ("readfile", "{}", "No tool readfile; did you mean read_file?", "held"),
    ("readfile", "{}", "Tool readfile not found", "broken"),
    ("append_file", BROKEN_JSON, "Unterminated string at line 1 column 28", "held"),
    ("append_file", BROKEN_JSON, 'Not JSON: {"path":"notes.txt","line":"x', "held"),
    ("append_file", BROKEN_JSON, "Invalid arguments", "broken"),
    ("delete_files", "", "The arguments are empty: write {} if you mean none.", "held"),
    ("delete_files", "", "Tool failed", "broken"),
    ("append_file", '["a"]', "Arguments must be an object", "held"),
    ("append_file", '["a"]', "Invalid arguments", "broken"),
    ("read_file", '{"path":42}', "path: 42 is not a string", "held"),
    ("read_file", '{"path":42}', "Invalid arguments", "broken"),
    ("append_file", '{"path":"a"}', "missing: line", "held"),
    ("append_file", '{"path":"a"}', "Tool failed", "broken"),
    ("append_file", BROKEN_JSON, "[12:03:44] Tool failed at 12", "broken"),
    ("append_file", BROKEN_JSON, "Unexpected token in line 1:28", "held"),
    ("append_file", '["a"]', '{"error":"Tool failed"}', "broken"),
    ("append_file", '["a"]', "[object Object]", "broken"),
    ("append_file", '["a"]', 'Write {"path": ..., "line": ...}', "held"),
    ("edit_file", '{"path":"a","new":"b"}', "Tool failed, as you were told.", "broken"),
    ("edit_file", '{"path":"a","new":"b"}', "'old' is required", "held"),
    ("delete_files", "", "Tool failed: missing permission", "broken"),
    ("delete_files", "", "No JSON was given", "held"),
    ("delete_files", "", "missing required parameter", "held"),
]


@pytest.mark.parametrize("check", ["failure_explained", "output_in_budget"])
def test_answers_in_plain_text_cannot_be_judged(story, check):
    explained(story, story.call("c1", "readfile"), "Tool failed")
    story.able["pairing"] = "text"
    finding = story.judge(check)
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", True)


@pytest.mark.parametrize(("tool", "raw", "told", "verdict"), ANSWERS)
def test_an_answer_says_what_is_wrong_and_where(story, tool, raw, told, verdict):
    proof = explained(story, story.call("c1", tool, raw=raw), told)
    finding = story.judge("failure_explained")
    assert (finding.verdict, finding.positions) == (verdict, proof)


def test_a_repaired_call_needs_no_explanation(story):
    call = story.call("c1", "list_files", raw="")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call, given="{}")
    story.answer("notes.txt")
    story.ask(story.user(), story.made(call), story.result("c1", "notes.txt"))
    assert story.judge("failure_explained").verdict == "not_applicable"


def test_a_cut_call_is_another_promise(story):
    explained(story, story.call("c1", "append_file", raw=BROKEN_JSON), "cut", finish="length")
    assert story.judge("failure_explained").verdict == "not_applicable"


def test_a_turn_that_ends_there_is_another_promise(story):
    story.start()
    story.ask(story.user())
    story.reply(story.call("c1", "readfile"))
    story.end("error")
    assert story.judge("failure_explained").verdict == "not_applicable"


@pytest.mark.parametrize(
    ("tool", "raw"),
    [("append_file", BROKEN_JSON), ("append_file", '["a"]'), ("readfile", "{}")],
)
def test_a_call_that_is_dropped_without_a_word_was_not_explained(story, tool, raw):
    good, bad = story.call("c1", "list_files"), story.call("c2", tool, raw=raw)
    story.start()
    story.ask(story.user())
    replied = story.reply(good, bad)
    own = Message(role="assistant", text=f"I use {tool}.")
    again = story.ask(story.user(), own, story.made(good), story.result("c1", "[]"))
    finding = story.judge("failure_explained")
    assert (finding.verdict, finding.positions) == ("broken", (replied, again))


DROPPED_ELSEWHERE = {
    "it is told in another place": [Message(role="user", text="Your last call was no JSON.")],
    "it is told with another result": [
        Message(role="tool", text="Done; append_file was no JSON.", result_of="c0")
    ],
    "the call is there, which is another promise": [
        Message(role="assistant", calls=(SaidCall(id="c1", name="append_file", arguments="{}"),))
    ],
    "it may be there under another id": [
        Message(role="assistant", calls=(SaidCall(id="x9", name="append_file", arguments="{}"),))
    ],
}


@pytest.mark.parametrize("why", DROPPED_ELSEWHERE)
def test_silence_is_where_nothing_at_all_is_said(story, why):
    story.start()
    story.ask(story.user())
    story.reply(story.call("c1", "append_file", raw=BROKEN_JSON))
    story.ask(story.user(), *DROPPED_ELSEWHERE[why])
    assert story.judge("failure_explained").verdict == "not_applicable"


def test_what_the_user_says_next_ends_the_matter(story):
    story.start()
    story.ask(story.user())
    story.reply(story.call("c1", "append_file", raw=BROKEN_JSON))
    story.end("error")
    story.start()
    story.ask(story.user())
    assert story.judge("failure_explained").verdict == "not_applicable"


def test_right_calls_are_not_applicable(story):
    explained(story, story.append("c1"), "Tool failed")
    assert story.judge("failure_explained").verdict == "not_applicable"


# --- output_in_budget -------------------------------------------------------------------------

HUGE_BYTES = 100_000


def flooded(story, text):
    story.changes["faults"] = [
        {"at": "tool read_file", "kind": "huge_output", "bytes": HUGE_BYTES},
    ]
    call = story.call("c1", "read_file", path="notes.txt")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    story.fire("huge_output")
    answered = story.answer("." * 4_000)
    return answered, story.ask(story.user(), story.made(call), story.result("c1", text))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("." * 5_000 + " [truncated: 5,000 of 100,000 bytes; read on with offset 5000]", "held"),
        ("." * 5_000, "broken"),
        ("." * 2_000 + '","truncated":false,"continuation":null}', "broken"),
        ("." * HUGE_BYTES, "broken"),
        ("." * 80_000 + " [truncated; read on with offset 80000]", "broken"),
    ],
    ids=["cut and said", "cut in silence", "the tool's own words", "whole", "hardly cut"],
)
def test_a_flood_is_cut_and_the_cut_is_said(story, text, verdict):
    proof = flooded(story, text)
    finding = story.judge("output_in_budget")
    assert (finding.verdict, finding.positions) == (verdict, proof)


def test_no_flood_is_not_applicable(story):
    explained(story, story.append("c1"), "Done")
    assert story.judge("output_in_budget").verdict == "not_applicable"


# --- exclusive_not_overlapping ----------------------------------------------------------------


def batch(story, one, two, *, together, held=False, one_call=False):
    story.start()
    story.ask(story.user(), one_call=one_call)
    story.reply(one, two)
    first = story.arrive(one)
    if held:
        story.hold()
    if not together:
        story.answer(invocation=1)
    second = story.arrive(two)
    story.answer(invocation=2)
    over = story.answer(invocation=1) if together else None
    return first, second, over


def test_an_exclusive_call_that_was_held_and_stayed_alone_holds(story):
    one, two = story.append("c1"), story.append("c2", "y")
    first, second, _ = batch(story, one, two, together=False, held=True)
    finding = story.judge("exclusive_not_overlapping")
    assert (finding.verdict, finding.positions) == ("held", (first, first + 1, second))


def test_quick_calls_that_did_not_meet_prove_nothing(story):
    batch(story, story.append("c1"), story.append("c2", "y"), together=False)
    finding = story.judge("exclusive_not_overlapping")
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", False)


def test_a_subject_that_takes_one_call_at_a_time_cannot_be_judged(story):
    batch(story, story.append("c1"), story.append("c2", "y"), together=False, one_call=True)
    finding = story.judge("exclusive_not_overlapping")
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", True)


def test_an_exclusive_call_in_company_is_broken(story):
    read = story.call("c1", "read_file", path="notes.txt")
    proof = batch(story, read, story.append("c2"), together=True)
    finding = story.judge("exclusive_not_overlapping")
    assert (finding.verdict, finding.positions) == ("broken", proof)
    assert "together with append_file" in finding.sentence


def test_reads_may_run_together(story):
    reads = [story.call(name, "read_file", path="notes.txt") for name in ("c1", "c2")]
    batch(story, *reads, together=True)
    assert story.judge("exclusive_not_overlapping").verdict == "not_applicable"


def test_what_was_turned_away_was_no_company(story):
    one, two = story.append("c1"), story.append("c2", "y")
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    story.arrive(one)
    story.arrive(two)
    story.answer(status=422, outcome="failed", invocation=2)
    story.answer(invocation=1)
    assert story.judge("exclusive_not_overlapping").verdict == "not_applicable"


# --- the tool's own words ---------------------------------------------------------------------

PADDING = "0042 the build goes on and on, line by line by line\n"


@pytest.mark.parametrize(
    ("told", "own"),
    [
        ('{"ok":true,"data":"' + PADDING * 3, ""),
        (PADDING * 2 + PADDING[:20] + PADDING[9:] + PADDING, ""),
        (PADDING * 2 + PADDING[:20] + "[truncated here]", "[truncated here]"),
        (PADDING + 'done","truncated":false,"continuation":null}', 'done",}'),
    ],
    ids=["all of it is the tool's", "head and tail joined", "said at the seam", "the frame"],
)
def test_what_the_tool_said_is_no_word_of_the_loops(told, own):
    assert own_words(told, '{"ok":true,"data":"' + PADDING * 40) == own
