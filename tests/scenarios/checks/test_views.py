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
