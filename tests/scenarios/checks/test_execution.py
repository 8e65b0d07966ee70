"""truncated_not_executed and arguments_exact: what may run, and with what."""

from __future__ import annotations

import json

import pytest

# --- truncated_not_executed -------------------------------------------------------------------


def cut(story, call, **reply):
    story.start()
    story.ask(story.user())
    return story.reply(call, **reply)


def test_a_cut_call_that_is_not_run_holds(story):
    replied = cut(story, story.append("c1"), finish="length")
    finding = story.judge("truncated_not_executed")
    assert (finding.verdict, finding.positions) == ("held", (replied,))


@pytest.mark.parametrize(
    "reply", [{"finish": "length"}, {"outcome": "reset"}, {"outcome": "cut"}], ids=str
)
def test_a_complete_call_of_a_cut_reply_is_not_run(story, reply):
    call = story.append("c1")
    replied = cut(story, call, **reply)
    arrived = story.arrive(call)
    effect = story.effect()
    finding = story.judge("truncated_not_executed")
    assert finding.verdict == "broken"
    assert finding.positions == (replied, arrived, effect)


def test_half_a_call_is_not_run(story):
    call = story.call("c1", "append_file", raw='{"path":"notes.txt","li')
    replied = cut(story, call, outcome="cut", complete=())
    arrived = story.arrive(call, given='{"path":"notes.txt"}')
    finding = story.judge("truncated_not_executed")
    assert finding.verdict == "broken"
    assert finding.positions == (replied, arrived)
    assert "half of what the model was saying" in finding.sentence


def test_a_call_that_the_tool_turned_away_did_not_run(story):
    call = story.call("c1", "append_file", raw='{"path":"notes.txt","li')
    cut(story, call, finish="length")
    story.arrive(call)
    story.answer(status=422, outcome="failed")
    assert story.judge("truncated_not_executed").verdict == "held"


def test_a_complete_item_that_started_before_the_end_is_a_policy(story):
    call = story.append("c1")
    cut(story, call, outcome=None)
    story.arrive(call)
    story.close("reset", "c1")
    finding = story.judge("truncated_not_executed")
    assert finding.verdict == "held"
    assert "L4" in finding.sentence


def test_the_codex_preset_may_start_a_complete_item_a_little_late(story):
    call = story.append("c1")
    cut(story, call, finish="length")
    story.arrive(call)
    assert story.judge("truncated_not_executed").verdict == "broken"
    story.able["policy"] = "codex"
    assert story.judge("truncated_not_executed").verdict == "held"


def test_no_policy_starts_half_an_item(story):
    call = story.append("c1")
    cut(story, call, outcome="reset", complete=())
    story.arrive(call)
    story.able["policy"] = "codex"
    assert story.judge("truncated_not_executed").verdict == "broken"


def test_the_call_that_came_after_the_cut_is_another(story):
    first, second = story.append("c1"), story.append("c2")
    cut(story, first, outcome="reset")
    story.ask(story.user())
    story.reply(second)
    story.ran(second)
    assert story.judge("truncated_not_executed").verdict == "held"


def test_without_ids_the_call_that_may_run_is_taken(story):
    first, second = story.append("c1"), story.append("c2")
    cut(story, first, outcome="reset")
    story.ask(story.user())
    story.reply(second)
    story.ran(second, named=False)
    assert story.judge("truncated_not_executed").verdict == "held"


def test_without_ids_and_among_cut_calls_only_it_is_unknown(story):
    cut(story, story.append("c1"), outcome="reset")
    story.ask(story.user())
    story.reply(story.append("c2"), outcome="reset")
    story.arrive(story.append("c2"), named=False)
    assert story.judge("truncated_not_executed").verdict == "unknown"


def test_whole_replies_are_not_applicable(story):
    cut(story, story.append("c1"))
    assert story.judge("truncated_not_executed").verdict == "not_applicable"


# --- arguments_exact --------------------------------------------------------------------------


def given(story, call, arguments, *, status=200, **reply):
    """A call is delivered, and a tool is given these arguments."""
    story.start()
    story.ask(story.user())
    replied = story.reply(call, **reply)
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    arrived = story.arrive(call, given=text)
    story.answer(status=status, outcome="ok" if status == 200 else "failed")
    return replied, arrived


@pytest.mark.parametrize(
    ("tool", "asked", "got"),
    [
        ("append_file", {"path": "a", "line": "b"}, {"line": "b", "path": "a"}),
        ("charge_customer", {"customer": "c", "cents": 5}, {"customer": "c", "cents": 5.0}),
        ("read_file", {"path": "a", "limit": None}, {"path": "a"}),
        ("delete_files", {}, {"dir": "/"}),
        ("read_file", {"file": "a"}, {"path": "a"}),
    ],
    ids=["reordered", "same number", "null dropped", "default filled", "name set right"],
)
def test_what_changes_nothing_holds(story, tool, asked, got):
    proof = given(story, story.call("c1", tool, **asked), got)
    finding = story.judge("arguments_exact")
    assert (finding.verdict, finding.positions) == ("held", proof)


@pytest.mark.parametrize(
    ("tool", "asked", "got", "clause"),
    [
        ("read_file", {"path": 42}, {"path": "42"}, "path was '42' and became '42'"),
        ("read_file", {"path": True}, {"path": 1}, "path was 'true' and became '1'"),
        ("delete_files", {"path": "/tmp"}, {"dir": "/"}, "path = '/tmp' was dropped"),
        ("read_file", {"path": "a"}, {"path": "/w/a"}, "path was 'a' and became '/w/a'"),
        ("list_files", {}, {"all": True}, "all = 'true' was added"),
    ],
    ids=["coerced", "bool is no number", "unknown one dropped", "path rewritten", "flag added"],
)
def test_what_changes_something_is_broken(story, tool, asked, got, clause):
    proof = given(story, story.call("c1", tool, **asked), got)
    finding = story.judge("arguments_exact")
    assert (finding.verdict, finding.positions) == ("broken", proof)
    assert clause in finding.sentence


@pytest.mark.parametrize(
    ("tool", "text", "got"),
    [
        ("append_file", '"{\\"path\\":\\"a\\",\\"line\\":\\"b\\"}"', {"path": "a", "line": "b"}),
        ("list_files", "", {}),
        ("read_file", "", {}),
        ("read_file", '{"path":"a"}{"path":"b"}', {"path": "a"}),
    ],
    ids=["double encoding", "empty without parameters", "empty for a reader", "glued reads"],
)
def test_allowed_repairs_hold(story, tool, text, got):
    given(story, story.call("c1", tool, raw=text), got)
    finding = story.judge("arguments_exact")
    assert finding.verdict == "held"
    assert "repaired as" in finding.sentence


@pytest.mark.parametrize(
    ("tool", "text", "got"),
    [
        ("delete_files", "", {}),
        ("delete_files", "", {"dir": "/"}),
        ("append_file", '{"path":"a","line":"b', {"path": "a", "line": "b"}),
        ("read_file", "{'path': 'a'}", {"path": "a"}),
        ("read_file", '{"path":"a', {"path": '{"path":"a'}),
        ("read_file", '["a"]', {"path": "a"}),
    ],
    ids=[
        "empty for a dangerous tool",
        "its defaults filled in",
        "best-effort parse",
        "single quotes",
        "raw text as an argument",
        "list",
    ],
)
def test_guesses_are_broken(story, tool, text, got):
    proof = given(story, story.call("c1", tool, raw=text), got)
    finding = story.judge("arguments_exact")
    assert (finding.verdict, finding.positions) == ("broken", proof)


def test_a_broken_text_that_the_tool_itself_turned_away_holds(story):
    text = '{"path":"a'
    given(story, story.call("c1", "read_file", raw=text), text, status=422)
    assert story.judge("arguments_exact").verdict == "held"


def test_half_a_text_made_whole_and_turned_away_is_still_a_guess(story):
    given(story, story.call("c1", "append_file", raw='{"path":"a","li'), {"path": "a"}, status=422)
    assert story.judge("arguments_exact").verdict == "broken"


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("Done. Note: only the first of 2 objects was used, the rest was not run.", "held"),
        ("Done: appended 1 line.", "broken"),
    ],
)
def test_one_of_several_glued_effects_runs_only_if_the_model_is_told(story, told, verdict):
    text = '{"path":"a","line":"1"}{"path":"a","line":"2"}'
    call = story.call("c1", "append_file", raw=text)
    given(story, call, {"path": "a", "line": "1"})
    story.ask(story.user(), story.made(call), story.result("c1", told))
    assert story.judge("arguments_exact").verdict == verdict


def test_nothing_is_read_into_a_cut_reply(story):
    given(story, story.call("c1", "list_files", raw=""), {}, finish="length")
    assert story.judge("arguments_exact").verdict == "broken"


def test_a_call_that_did_not_arrive_to_its_end_is_broken(story):
    given(story, story.append("c1"), {"path": "notes.txt"}, outcome="reset", complete=())
    assert story.judge("arguments_exact").verdict == "broken"


def test_a_refusal_holds(story):
    story.start()
    story.ask(story.user())
    replied = story.reply(story.call("c1", "append_file", raw="{"))
    finding = story.judge("arguments_exact")
    assert (finding.verdict, finding.positions) == ("held", (replied,))


def test_without_ids_the_only_open_call_is_meant(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call, named=False, given='{"path":"notes.txt"}')
    assert story.judge("arguments_exact").verdict == "broken"


def test_an_invocation_that_nobody_asked_for_is_unknown(story):
    story.start()
    story.ask(story.user())
    story.reply(text="Done.")
    arrived = story.arrive(story.append("c1"), named=False)
    finding = story.judge("arguments_exact")
    assert (finding.verdict, finding.positions) == ("unknown", (arrived,))


def test_a_query_of_the_loops_own_is_nobodys_arguments(story):
    call = story.call("c1", "charge_customer", customer="c", cents=5)
    query = story.call("c1:query", "read_file", path="charges.txt")
    given(story, call, {"customer": "c", "cents": 5})
    story.arrive(query)
    story.ask(story.user())
    story.reply(story.call("c2", "read_file", path="other.txt"))
    story.arrive(query)
    assert story.judge("arguments_exact").verdict == "held"


def test_a_misspelt_tool_that_is_run_under_its_right_name_is_found(story):
    call = story.call("c1", "readfile", path="notes.txt")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call, named=False, tool="read_file")
    assert story.judge("arguments_exact").verdict == "held"


def test_no_call_is_not_applicable(story):
    story.start()
    story.ask(story.user())
    story.reply(text="Done.")
    assert story.judge("arguments_exact").verdict == "not_applicable"
