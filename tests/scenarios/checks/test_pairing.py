"""results_closed, no_orphans, results_in_order: what a conversation owes its calls."""

from __future__ import annotations

import json

import pytest

from faultloop.fakes.dialects import DIALECTS
from faultloop.scenarios.views.pairing import PLACES, Pairing


def asked_twice(story, *messages):
    """One call is made and answered by the world; the next request says `messages`."""
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    answered = story.answer()
    return answered, story.ask(*messages)


# --- the rule itself --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "kinds"),
    [
        ("u c1 r1 u", []),
        ("u c1 u", ["unanswered"]),
        ("u c1", ["unanswered"]),
        ("u c1 u r1", ["unanswered", "late"]),
        ("u r1", ["orphan"]),
        ("u c1 r1 r1", ["duplicate"]),
        ("u c1 r1 c1 r1", ["repeated_id"]),
        ("u c1 r2 r1", ["orphan"]),
    ],
)
def test_a_conversation_is_well_paired_or_its_flaw_has_a_name(story, order, kinds):
    said = {
        "u": story.user(),
        "c1": story.made(story.append("c1")),
        "r1": story.result("c1"),
        "r2": story.result("c2"),
    }
    pairing = Pairing()
    for word in order.split():
        pairing.read([said[word]])
        pairing.flaws()  # which changes nothing: the conversation may go on
    assert [flaw.kind for flaw in pairing.flaws()] == kinds


@pytest.mark.parametrize(
    ("order", "next_", "turn", "anywhere"),
    [
        ("u c1 u r1", ["unanswered", "late"], [], []),
        ("u c1 a r1", ["unanswered", "late"], ["unanswered", "late"], []),
        ("u c1 a u", ["unanswered"], ["unanswered"], ["unanswered"]),
        ("u r1 c1", ["orphan", "unanswered"], ["orphan", "unanswered"], ["orphan", "unanswered"]),
        ("u c1 u r1 u r1", ["unanswered", "late", "duplicate"], ["duplicate"], ["duplicate"]),
    ],
)
def test_where_a_result_may_stand_depends_on_the_dialect(story, order, next_, turn, anywhere):
    said = {
        "u": story.user(),
        "a": story.made(),
        "c1": story.made(story.append("c1")),
        "r1": story.result("c1"),
    }
    found = {}
    for place in ("next", "turn", "anywhere"):
        pairing = Pairing(place)
        pairing.read(said[word] for word in order.split())
        found[place] = [flaw.kind for flaw in pairing.flaws()]
    assert found == {"next": next_, "turn": turn, "anywhere": anywhere}


def test_every_dialect_says_where():
    assert PLACES.keys() == DIALECTS.keys()


# --- what a request holds, where it begins like the one before it -----------------------------


def test_of_a_request_that_goes_on_only_what_it_adds_is_read(story):
    first = [story.user(), story.made(story.append("c1"))]
    story.start()
    story.ask(*first)
    story.ask(*first, story.result("c1"))
    story.ask(story.user("in short"), story.result("c2"))
    story.ask(story.user("in short"), story.result("c2"), story.result("c2", "again"))
    one, two, shortened, last = (each.contents for each in story.evidence().views.exchanges)
    assert [one.added, two.added, shortened.added, last.added] == [0, 2, 0, 2]
    assert [flaw.kind for flaw in one.flaws] == ["unanswered"]
    assert (two.flaws, two.call_ids, list(two.results)) == ((), {"c1"}, ["c1"])
    assert [flaw.kind for flaw in last.flaws] == ["orphan", "orphan"]
    assert (shortened.call_ids, last.results["c2"][-6:]) == (frozenset(), "\nagain")


# --- results_closed ---------------------------------------------------------------------------


def test_an_answered_call_holds(story):
    _, request = asked_twice(
        story, story.user(), story.made(story.append("c1")), story.result("c1")
    )
    finding = story.judge("results_closed")
    assert finding.verdict == "held"
    assert finding.positions == (request,)


def test_a_call_without_result_is_broken(story):
    _, request = asked_twice(story, story.user(), story.made(story.append("c1")), story.user("so?"))
    finding = story.judge("results_closed")
    assert finding.verdict == "broken"
    assert finding.positions == (request,)
    assert "call c1 has no result" in finding.sentence


def test_a_result_behind_another_message_is_broken(story):
    asked_twice(
        story,
        story.user(),
        story.made(story.append("c1")),
        story.user("so?"),
        story.result("c1"),
    )
    assert story.judge("results_closed").verdict == "broken"


def test_a_result_dropped_together_with_its_call_is_broken(story):
    answered, request = asked_twice(story, story.user(), story.user("so?"))
    finding = story.judge("results_closed")
    assert finding.verdict == "broken"
    assert finding.positions == (answered, request)


@pytest.mark.parametrize(
    ("line", "verdict"), [("x", "held"), ("y", "unknown")], ids=["the same call", "another"]
)
def test_a_call_under_an_id_of_the_subjects_own_is_found_or_unknown(story, line, verdict):
    own = story.append("call_7", line)
    asked_twice(story, story.user(), story.made(own), story.result("call_7"))
    assert story.judge("results_closed").verdict == verdict


def test_an_answer_that_holds_another_may_be_written_as_json(story):
    one, two = (story.call(f"c{n}", "read_file", path="notes.txt") for n in (1, 2))
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    results = []
    for call, content in ((one, "- tests\n"), (two, "- tests\n- docs\n")):
        story.arrive(call)
        story.answer(content)
        results.append(story.result(call.id, json.dumps({"data": content})))
    story.ask(story.user(), story.made(one, two), *results)
    assert story.judge("results_closed").verdict == "held"


@pytest.mark.parametrize("empty", ["", '{"ok": false, "message": ""}'])
@pytest.mark.parametrize(
    ("told", "verdict"), [("beta beta beta", "broken"), ("alpha alpha alpha", "held")]
)
def test_an_empty_answer_of_one_try_does_not_stand_for_all(story, empty, told, verdict):
    one, two = (story.call(f"c{n}", "read_file", path=f"{n}.txt") for n in (1, 2))
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    story.arrive(one)
    story.answer(status=504, outcome="failed", body=empty)
    for call, content in ((one, "alpha alpha alpha"), (two, "beta beta beta")):
        story.arrive(call)
        story.answer(content)
    results = story.result("c1", told), story.result("c2", "beta beta beta")
    story.ask(story.user(), story.made(one, two), *results)
    assert story.judge("results_closed").verdict == verdict


def test_a_call_of_a_cut_reply_may_be_dropped(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call, finish="length")
    story.arrive(call)
    story.answer()
    story.ask(story.user())
    assert story.judge("results_closed").verdict == "not_applicable"


def test_only_the_next_request_must_show_it(story):
    asked_twice(story, story.user(), story.made(story.append("c1")), story.result("c1"))
    story.reply(text="long")
    story.ask(story.user("a summary of it all"))
    assert story.judge("results_closed").verdict == "held"


def test_results_that_changed_places_are_broken(story):
    one = story.call("c1", "read_file", path="notes.txt")
    two = story.call("c2", "list_files")
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    story.arrive(one)
    story.arrive(two)
    first = story.answer("the content of the notes", invocation=1)
    second = story.answer("a list of all files", invocation=2)
    request = story.ask(
        story.user(),
        story.made(one, two),
        story.result("c1", "a list of all files"),
        story.result("c2", "the content of the notes"),
    )
    finding = story.judge("results_closed")
    assert finding.verdict == "broken"
    assert finding.positions == (first, second, request)
    assert "with the result of call c2" in finding.sentence


def test_of_a_call_that_was_tried_again_any_answer_will_do(story):
    one = story.call("c1", "read_file", path="notes.txt")
    two = story.call("c2", "read_file", path="copy-of-notes.txt")
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    story.arrive(one)
    story.lose()
    story.ran(two)
    story.ran(one)
    same = story.result("c1").text
    story.ask(story.user(), story.made(one, two), story.result("c1", same), story.result("c2"))
    assert story.judge("results_closed").verdict == "held"


def test_nothing_to_close_is_not_applicable(story):
    story.start()
    story.ask(story.user())
    story.reply(text="Done.")
    assert story.judge("results_closed").verdict == "not_applicable"


def test_a_side_request_owes_nothing(story):
    call = story.append("c1")
    asked_twice(story, story.user(), story.made(call), story.result("c1"))
    story.ask(story.user(), story.made(call), tools=())
    story.reply(text="A title", cursor="side", step=0)
    assert story.judge("results_closed").verdict == "held"


@pytest.mark.parametrize("check", ["results_closed", "no_orphans", "results_in_order"])
def test_text_pairing_is_not_applicable(story, check):
    asked_twice(story, story.user(), story.made(story.append("c1")))
    story.able["pairing"] = "text"
    finding = story.judge(check)
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", True)


# --- no_orphans -------------------------------------------------------------------------------


def test_results_of_known_calls_hold(story):
    _, request = asked_twice(
        story, story.user(), story.made(story.append("c1")), story.result("c1")
    )
    finding = story.judge("no_orphans")
    assert (finding.verdict, finding.positions) == ("held", (request,))


@pytest.mark.parametrize("results", [["c1", "c1"], ["c1", "c9"]])
def test_a_result_too_many_is_broken(story, results):
    _, request = asked_twice(
        story, story.user(), story.made(story.append("c1")), *map(story.result, results)
    )
    finding = story.judge("no_orphans")
    assert (finding.verdict, finding.positions) == ("broken", (request,))


def test_no_result_is_not_applicable(story):
    asked_twice(story, story.user())
    assert story.judge("no_orphans").verdict == "not_applicable"


# --- results_in_order -------------------------------------------------------------------------


def two_reads(story, *results, finished=(1, 2), held=0, pause_s=0.1):
    """Two reads under way together; `held` is the one that the world keeps waiting."""
    one, two = (story.call(name, "read_file", path=f"{name}.txt") for name in ("c1", "c2"))
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    story.arrive(one)
    story.arrive(two)
    if held:
        story.hold(held)
    answered = []
    for number in finished:
        answered.append(story.answer(f"content {number}", invocation=number))
        story.now_s += pause_s
    return answered, story.ask(story.user(), story.made(one, two), *map(story.result, results))


def test_model_order_holds_whatever_finished_first(story):
    two_reads(story, "c1", "c2", finished=(2, 1))
    story.able["journal"] = True
    assert story.judge("results_in_order").verdict == "held"


def test_completion_order_is_broken_for_the_reference(story):
    answered, request = two_reads(story, "c2", "c1", finished=(2, 1))
    story.able["journal"] = True
    finding = story.judge("results_in_order")
    assert finding.verdict == "broken"
    assert finding.positions == (*answered, request)


@pytest.mark.parametrize("results", [("c1", "c2"), ("c2", "c1")])
def test_model_order_and_completion_order_are_policies_of_strangers(story, results):
    two_reads(story, *results, finished=(2, 1), held=1)
    assert story.judge("results_in_order").verdict == "held"


def test_any_other_order_is_broken_for_everybody(story):
    answered, request = two_reads(story, "c2", "c1", finished=(1, 2), held=2)
    finding = story.judge("results_in_order")
    assert (finding.verdict, finding.positions) == ("broken", (*answered, request))


@pytest.mark.parametrize(
    ("pause_s", "results", "verdict"),
    [
        (0.1, ("c2", "c1"), "broken"),
        (0.001, ("c2", "c1"), "not_applicable"),  # two threads may be answered one by one
        (0.001, ("c1", "c2"), "held"),
    ],
)
def test_one_after_the_other_is_apart_enough_with_a_pause(story, pause_s, results, verdict):
    one, two = (story.call(name, "read_file", path=f"{name}.txt") for name in ("c1", "c2"))
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    for call in (one, two):
        story.arrive(call)
        story.answer()
        story.now_s += pause_s
    story.ask(story.user(), story.made(one, two), *map(story.result, results))
    assert story.judge("results_in_order").verdict == verdict


@pytest.mark.parametrize(
    "how", [{}, {"held": 2, "pause_s": 0.001}, {"finished": (1,)}], ids=["quick", "no pause", "one"]
)
def test_completions_that_were_not_kept_apart_prove_no_order(story, how):
    two_reads(story, "c2", "c1", **how)
    finding = story.judge("results_in_order")
    assert finding.verdict == "not_applicable"
    assert "kept so far apart" in finding.sentence


def test_rewritten_ids_keep_their_order(story):
    one, two = (story.call(name, "read_file", path=f"{name}.txt") for name in ("c1", "c2"))
    own = [story.call(f"n{one.id}", "read_file", path=f"{one.id}.txt") for one in (one, two)]
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    for call in (one, two):
        story.arrive(call)
        story.answer()
    story.ask(story.user(), story.made(*own), story.result("nc1"), story.result("nc2"))
    assert story.judge("results_in_order").verdict == "held"
    assert story.judge("results_closed").verdict == "held"


def test_one_call_at_a_time_has_no_order(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user(), one_call=True)
    story.reply(call)
    story.ask(story.user(), story.made(call), story.result("c1"), one_call=True)
    finding = story.judge("results_in_order")
    assert (finding.verdict, finding.subject_cannot) == ("not_applicable", True)


def test_one_result_has_no_order(story):
    asked_twice(story, story.user(), story.made(story.append("c1")), story.result("c1"))
    assert story.judge("results_in_order").verdict == "not_applicable"
