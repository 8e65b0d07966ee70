"""The views: which call an invocation came from, and what a request really said."""

from __future__ import annotations

import pytest

from faultloop.fakes.history import Requested


def matched(story):
    return [
        (one.call.id if one.call else "", one.match) for one in story.evidence().views.invocations
    ]


def delivered(story, *calls, **reply):
    story.start()
    story.ask(story.user())
    story.reply(*calls, **reply)


def test_a_subject_that_names_ids_is_believed(story):
    delivered(story, story.append("c1"), story.append("c2"))
    story.arrive(story.append("c2"))
    assert matched(story) == [("c2", "id")]


def test_ids_of_the_subjects_own_making_are_ignored(story):
    delivered(story, story.append("c1"))
    story.arrive(story.append("made-up-7"))
    assert matched(story) == [("c1", "arguments")]


def test_a_query_named_after_a_call_is_not_that_call(story):
    delivered(story, story.call("c1", "read_file", path="a"))
    story.arrive(story.call("c1:query", "read_file", path="a"))
    assert matched(story) == [("", "none")]


def test_equal_calls_of_a_batch_are_taken_in_their_order(story):
    delivered(story, story.append("c1"), story.append("c2"))
    for _ in range(3):
        story.arrive(story.append("c9"), named=False)
    assert matched(story) == [("c1", "arguments"), ("c2", "arguments"), ("c1", "arguments")]


def test_a_step_that_was_said_twice_is_one_place(story):
    delivered(story, story.append("c1"))
    story.ask(story.user())
    story.reply(story.append("c2"))
    story.arrive(story.append("c9"), named=False)
    assert matched(story) == [("c2", "place")]


def test_equal_calls_of_two_steps_cannot_be_told_apart(story):
    delivered(story, story.append("c1"))
    story.ask(story.user())
    story.reply(story.append("c2"), step=2)
    story.arrive(story.append("c9"), named=False)
    assert matched(story) == [("c2", "ambiguous")]


def test_other_arguments_can_only_be_the_one_open_call(story):
    delivered(story, story.append("c1"), story.call("c2", "list_files"))
    story.arrive(story.append("c9", "something else"), named=False)
    story.arrive(story.append("c9", "yet another"), named=False)
    assert matched(story) == [("c1", "tool"), ("", "none")]


def test_a_call_is_not_invoked_before_it_is_made(story):
    story.start()
    story.ask(story.user())
    story.arrive(story.append("c9"), named=False)
    story.reply(story.append("c1"))
    assert matched(story) == [("", "none")]


def test_a_repeated_body_says_what_the_first_one_said(story):
    delivered(story, story.append("c1"))
    story._add(
        Requested,
        request=2,
        dialect="openai_chat",
        streaming=True,
        tools=(),
        messages=(),
        same_as=1,
    )
    first, second = story.evidence().views.exchanges
    assert second.messages == first.messages


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ({"reason": "max_steps"}, "max_steps"),
        ({"reason": None, "code": 1}, "error"),
        ({"reason": None, "code": 130}, "aborted"),
        ({"reason": None, "how": "did_not_end"}, "did_not_end"),
        ({"reason": None, "how": "killed"}, "did_not_end"),
    ],
)
def test_an_end_without_account_is_worded_as_the_contract_says(story, end, reason):
    story.start()
    story.act("cancel")
    story.end(**end)
    assert story.evidence().views.starts[0].end_reason == reason


def test_a_kill_of_the_scenario_is_no_failure_to_end(story):
    story.start()
    story.kill()
    assert story.evidence().views.starts[0].end_reason == "killed"


# --- call ids of the subject's own ------------------------------------------------------------


def restored(story):
    exchange = story.evidence().views.exchanges[-1]
    said = exchange.restored.messages
    made = [call.id for message in said for call in message.calls]
    return made, [message.result_of for message in said if message.role == "tool"]


def test_rewritten_ids_are_put_back_by_tool_arguments_and_place(story):
    one, two = story.append("c1"), story.append("c2", "y")
    delivered(story, one, two)
    own = story.made(story.append("call_1"), story.append("call_2", "y"))
    story.ask(story.user(), own, story.result("call_2"), story.result("call_1"))
    assert restored(story) == (["c1", "c2"], ["c2", "c1"])


def test_equal_calls_of_several_steps_are_aligned_from_the_end(story):
    delivered(story, story.append("c1"))
    story.ask(story.user(), story.made(story.append("n1")), story.result("n1"))
    story.reply(story.append("c2"), step=2)
    messages = [story.made(story.append("n1")), story.result("n1")]
    messages += [story.made(story.append("n2")), story.result("n2")]
    story.ask(story.user(), *messages)
    assert restored(story) == (["c1", "c2"], ["c1", "c2"])


def test_an_id_that_is_given_twice_means_the_call_before_it(story):
    delivered(story, story.append("c1"))
    story.ask(story.user())
    story.reply(story.append("c2", "y"), step=2)
    messages = [story.made(story.append("n")), story.result("n")]
    messages += [story.made(story.append("n", "y")), story.result("n")]
    story.ask(story.user(), *messages)
    assert restored(story) == (["c1", "c2"], ["c1", "c2"])


def test_arguments_that_had_to_be_mended_are_no_hindrance(story):
    delivered(story, story.call("c1", "append_file", raw='{"path":'))
    own = story.call("n1", "append_file", raw='{"raw":"{\\"path\\":"}')
    story.ask(story.user(), story.made(own), story.result("n1"))
    assert restored(story) == (["c1"], ["c1"])


def test_a_dropped_cut_reply_is_not_taken_for_the_kept_one(story):
    delivered(story, story.append("c1"))
    story.ask(story.user(), story.made(story.append("n1")), story.result("n1"))
    story.reply(story.append("c2"), step=2, finish="length")
    story.ask(story.user(), story.made(story.append("n1")), story.result("n1"))
    assert restored(story) == (["c1"], ["c1"])


def test_a_call_of_no_known_reply_stays_a_stranger(story):
    delivered(story, story.append("c1"))
    story.ask(story.user(), story.made(story.append("n1", "z")), story.result("n1"))
    exchange = story.evidence().views.exchanges[-1]
    assert exchange.restored.strangers == {"n1"}
    assert exchange.may_show("c1")
    assert not exchange.shows("c1")


def test_delivered_ids_are_left_alone(story):
    delivered(story, story.append("c1"), story.append("c2"))
    story.ask(story.user(), story.made(story.append("c2")), story.result("c2"))
    assert restored(story) == (["c2"], ["c2"])


def test_an_id_that_was_made_up_for_one_call_of_a_reply_is_put_back(story):
    delivered(story, story.append("c1"), story.append("c2", "y"))
    own = story.made(story.append("c1"), story.append("missing_id_7", "y"))
    story.ask(story.user(), own, story.result("c1"), story.result("missing_id_7"))
    assert restored(story) == (["c1", "c2"], ["c1", "c2"])


def test_calls_that_share_an_id_are_told_apart_by_what_they_say(story):
    delivered(story, story.append("c1"), story.append("c1", "y"))
    story.arrive(story.append("c1", "y"))
    story.arrive(story.append("c1"))
    found = story.evidence().views.invocations
    assert [(one.call.index, one.match) for one in found] == [(1, "id"), (0, "id")]


def test_an_invocation_under_a_rewritten_id_is_found(story):
    delivered(story, story.append("c1"), story.append("c2"))
    story.arrive(story.append("n2"))
    own = story.made(story.append("n1"), story.append("n2"))
    story.ask(story.user(), own, story.result("n1"), story.result("n2"))
    assert matched(story) == [("c2", "id")]


def test_the_parts_of_a_step_are_places_of_their_own(story):
    delivered(story, story.append("c1"))
    story.ask(story.user())
    story.reply(story.append("c2"), part=2)
    assert [call.place for call in story.evidence().views.calls] == [(1, 0), (1, 1)]
