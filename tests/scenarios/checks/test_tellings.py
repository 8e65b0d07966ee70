"""answers_told, nearest_name_first, excerpt_bounded and world_asked: what the model is told of its
calls."""

from __future__ import annotations

import json

import pytest

from faultloop.scenarios.quoting import quoted_bytes

A = "export const a = 1;\n"
B = "export const b = 2;\n"


def reads(story, first, second, *, answers=(A, B)):
    """Two reads of a batch, answered, and told as `first` and `second`."""
    one = story.call("c1", "read_file", path="a.js")
    other = story.call("c2", "read_file", path="b.js")
    story.start()
    story.ask(story.user())
    story.reply(one, other)
    for call, answer in zip((one, other), answers, strict=True):
        story.arrive(call)
        story.answer(answer)
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


HEAD = "# This file is generated\n"
STRUCTURED = [json.dumps({"path": name, "text": name * 3}) for name in ("alpha", "beta")]
PAIRS = [
    (HEAD + "alpha", HEAD + "beta"),
    ("Done: appended 1 line to a.md.", "Done: appended 1 line to b.md."),
    ("alpha" + HEAD, "betaa" + HEAD),
    (STRUCTURED[0], STRUCTURED[1]),
    ("1", "10 lines: alpha"),
    ("line 1", "line 10"),
]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize(("swapped", "verdict"), [(False, "held"), (True, "broken")])
def test_answers_that_are_alike_are_told_apart(story, pair, swapped, verdict):
    reads(story, *(reversed(pair) if swapped else pair), answers=pair)
    assert story.judge("answers_told").verdict == verdict


def test_equal_answers_cannot_be_confused(story):
    reads(story, A, A, answers=(A, A))
    assert story.judge("answers_told").verdict == "held"


@pytest.mark.parametrize("told", ["summary: 27 lines about x", "7"])
def test_a_short_answer_occurs_by_chance(story, told):
    reads(story, told, "7", answers=("x" * 4_000, "7"))
    assert story.judge("answers_told").verdict == "held"


def test_a_summary_is_left_alone(story):
    reads(story, "It exports a.", "It exports b.")
    assert story.judge("answers_told").verdict == "not_applicable"


@pytest.mark.parametrize(
    ("answer", "told", "verdict"),
    [
        (A, "ok", "broken"),
        (A, "", "broken"),
        (A, "read_file completed successfully.", "broken"),
        (A, "Done: a const is exported.", "held"),
        ("x = 1\n" * 1_000, "Done, saved for later.", "held"),
        ("Done: appended 1 line to a.md.", "ok", "held"),
        ("7", "ok", "broken"),
        ("7", "Done: 7", "held"),
        ("42", '{"ok": true, "result": "42"}', "held"),
        ("on", "ok: on", "held"),
        ("42", "Done: 43", "broken"),
        ("", "ok", "held"),
    ],
)
def test_that_it_worked_is_not_all_there_is_to_tell(story, answer, told, verdict):
    reads(story, told, B, answers=(answer, B))
    assert story.judge("answers_told").verdict == verdict


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


def failure(message, code="E1"):
    body = json.dumps({"ok": False, "code": code, "message": message}, ensure_ascii=False)
    return {"status": 500, "outcome": "failed", "body": body}


NO_FILE = "There is no file notes.txt in this project."


@pytest.mark.parametrize(
    ("message", "told", "verdict"),
    [
        ("Файл не найден", json.dumps({"error": "Файл не найден"}), "held"),
        ("Файл не найден: 😀.txt", json.dumps({"error": "Файл не найден: 😀.txt"}), "held"),
        ('he said "a\tb" \\ c', json.dumps({"error": 'he said "a\tb" \\ c'}), "held"),
        (NO_FILE, "Error: file notes.txt not found (E1)", "held"),
        (NO_FILE, "Error: file notes.txt not found", "not_applicable"),
        (NO_FILE, "File does not exist.", "not_applicable"),
        (NO_FILE, "Error", "broken"),
        (NO_FILE, "append_file failed with status 500", "broken"),
        (NO_FILE, "", "broken"),
        (NO_FILE, "Everything went well", "broken"),
        ("E", "Everything went well", "broken"),
        ("Internal Server Error", "HTTP 500 from the tool server", "not_applicable"),
    ],
)
def test_a_failure_may_be_told_in_other_words_but_not_be_hidden(story, message, told, verdict):
    changed(story, told, **failure(message))
    assert story.judge("answers_told").verdict == verdict


def test_what_is_unknown_is_no_answer(story):
    changed(story, "The outcome is unknown.", status=504, outcome="unknown", body="<html>")
    assert story.judge("answers_told").verdict == "not_applicable"


@pytest.mark.parametrize("check", ["answers_told", "not_run_told", "nearest_name_first"])
def test_plain_text_cannot_be_judged(story, check):
    story.able["pairing"] = "text"
    finding = story.judge(check)
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", True)


# --- nearest_name_first -----------------------------------------------------------------------


def misspelt(story, told, name="readFile", raw='{"path":"a.js"}'):
    call = story.call("c1", name, raw=raw)
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
        ("There is no readFile; list_files shows names. Did you mean read_file?", "held"),
        ("list_files is no substitute: use `read_file`.", "held"),
        ("Use one of append_file, list_files, read_file.", "broken"),
        ("Did you mean append_file, list_files or read_file?", "broken"),
    ],
)
def test_the_tool_that_was_meant_comes_first(story, told, verdict):
    misspelt(story, told)
    assert story.judge("nearest_name_first").verdict == verdict


@pytest.mark.parametrize(
    ("raw", "verdict"),
    [('{"path": "list_files"}', "held"), ('{"path":"list_files"}', "held"), ("{}", "broken")],
)
def test_what_the_model_had_sent_is_not_what_it_is_offered(story, raw, verdict):
    told = 'Unknown tool readFile. You sent {"path": "list_files"}. There are: read_file.'
    misspelt(story, told, raw=raw)
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


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("Error: ENOENT gone.txt; the folder has notes.txt", "held"),
        ("notes.txt", "broken"),
        ('{"ok": true, "data": "notes.txt"}', "broken"),
        ("there is no such file", "held"),
    ],
)
def test_to_name_what_another_call_found_is_not_to_tell_its_answer(story, told, verdict):
    one = story.call("c1", "read_file", path="gone.txt")
    other = story.call("c2", "list_files", path=".")
    story.start()
    story.ask(story.user())
    story.reply(one, other)
    story.arrive(one)
    story.answer(
        status=500, outcome="failed", body='{"ok": false, "message": "there is no such file"}'
    )
    story.arrive(other)
    story.answer("notes.txt")
    results = story.result("c1", told), story.result("c2", "notes.txt")
    story.ask(story.user(), story.made(one, other), *results)
    assert story.judge("answers_told").verdict == verdict
    assert (story.judge("results_closed").verdict == "broken") is (verdict == "broken")


# --- excerpt_bounded --------------------------------------------------------------------------


LONG = '{"path":"' + "".join(f"é {n} " for n in range(2_000))
LINES = json.dumps({"path": "notes.txt", "lines": [f"line {n}" for n in range(900)]})
SCHEMA = json.dumps({"type": "object", "description": "s" * 2_500})


@pytest.mark.parametrize(
    ("raw", "told", "verdict"),
    [
        (LONG, f"Not JSON: {LONG[:1_600]}… Schema: {SCHEMA}", "held"),
        (LONG, f"Not JSON near {LONG[5_000:6_600]}", "held"),
        (LONG, json.dumps({"error": f"Not JSON: {LONG[:1_600]}"}), "held"),
        (LONG, f"Not JSON: {LONG[:2_100]}", "broken"),
        (LONG, f"Not JSON: {LONG}", "broken"),
        (LONG, json.dumps({"error": f"Not JSON: {LONG}"}), "broken"),
        ("x" * 13_000, "x" * 2_000, "held"),
        ("x" * 13_000, "x" * 2_001, "broken"),
        # In pieces, with other quotes, and spread over lines.
        (LINES, "…".join(LINES[n : n + 1_990] for n in range(0, 10_000, 2_000)), "broken"),
        (LINES, f"Not so: {json.loads(LINES)!r}", "broken"),
        (LINES, f"Not so:\n{json.dumps(json.loads(LINES), indent=2)}", "broken"),
        (LINES, f"Not so: {LINES[:900]}…{LINES[-900:]}", "held"),
        # What is named in passing is not added to the excerpt.
        (LINES, f"{LINES[:40]} is wrong in {LINES[:2_000]}\n\n(2,000 bytes)", "held"),
        (LONG, "Tool failed", "not_applicable"),
        (LONG, f"Not JSON. Schema: {SCHEMA}", "not_applicable"),
        (LONG[:3_000], f"Not JSON: {LONG[:3_000]}", "not_applicable"),
    ],
)
def test_long_arguments_come_back_as_an_excerpt(story, raw, told, verdict):
    call = story.call("c1", "append_file", raw=raw)
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.ask(story.user(), story.made(call), story.result("c1", told))
    assert story.judge("excerpt_bounded").verdict == verdict


@pytest.mark.timeout(40)  # seconds; where work grows with the square of the length it is minutes
def test_a_flood_is_compared_in_no_time():
    flood = "".join(f"line {n} of the file\n" for n in range(25_000))
    holed = "".join("#" if n % 40 == 0 else one for n, one in enumerate(flood))
    assert 0 < quoted_bytes(flood, holed) < 64
    assert quoted_bytes(flood, flood) == len(flood) - 1


@pytest.mark.parametrize(
    ("text", "told", "size"),
    [
        ("héllo wörld, this is it", "h\\u00e9llo w\\u00f6rld, this is it", 25),
        ("a smile 😀 among the words", "a smile \\ud83d\\ude00 among the words", 28),
        ("one two three four five", "one  two\n'three' \"four\" five", 23),
        ("too short", "too short", 0),
    ],
)
def test_what_is_quoted_may_be_printed_in_another_way(text, told, size):
    assert quoted_bytes(text, told) == size


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
