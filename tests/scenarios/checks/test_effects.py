"""effects_once: how many times, and what made it twice."""

from __future__ import annotations

import pytest


def asked(story, call, *messages, step=1, **reply):
    """A request, and a reply that makes this call."""
    request = story.ask(story.user(), *messages)
    story.reply(call, step=step, **reply)
    return request


def killed_after_the_effect(story, call, **named):
    story.start()
    asked(story, call)
    arrived = story.arrive(call, **named)
    effect = story.effect(call.tool)
    story.kill()
    return arrived, effect


def test_once_holds(story):
    story.start()
    request = asked(story, story.append("c1"))
    story.ran(story.append("c1"))
    finding = story.judge("effects_once")
    assert (finding.verdict, finding.positions) == ("held", (request + 1,))


def test_never_holds_as_well(story):
    story.start()
    asked(story, story.append("c1"))
    assert story.judge("effects_once").verdict == "held"


def test_reads_are_not_applicable(story):
    call = story.call("c1", "read_file", path="notes.txt")
    story.start()
    asked(story, call)
    story.arrive(call)
    story.arrive(call)
    assert story.judge("effects_once").verdict == "not_applicable"


def test_a_call_that_the_loop_replays_is_broken(story):
    call = story.append("c1")
    first = killed_after_the_effect(story, call)
    story.start(text="", resume=True)
    again = story.ran(call)
    finding = story.judge("effects_once")
    assert finding.verdict == "broken"
    assert finding.positions == (*first, again, again + 1)
    assert "in start 2 the loop ran the same call again" in finding.sentence


def test_a_call_that_the_model_issues_again_because_the_loop_forgot_is_broken(story):
    first = killed_after_the_effect(story, story.append("c1"))
    story.start(text="", resume=True)
    asked(story, story.append("c2"))
    again = story.ran(story.append("c2"))
    finding = story.judge("effects_once")
    assert finding.verdict == "broken"
    assert finding.positions == (*first, again, again + 1)
    assert "the loop forgot it" in finding.sentence


def test_a_retry_after_an_uncertain_answer_is_a_replay(story):
    call = story.append("c1")
    story.start()
    asked(story, call)
    story.arrive(call)
    story.effect()
    story.lose()
    story.ran(call)
    finding = story.judge("effects_once")
    assert finding.verdict == "broken"
    assert "the loop ran the same call again" in finding.sentence


def test_a_call_of_a_broken_reply_that_is_asked_for_again_is_named_so(story):
    story.start()
    asked(story, story.append("c1"), outcome="reset")
    story.ran(story.append("c1"))
    asked(story, story.append("c2"))
    story.ran(story.append("c2"))
    assert "a call of a broken reply" in story.judge("effects_once").sentence


def test_a_late_orphan_is_told_apart(story):
    call = story.call("c1", "run_command", command="npm test")
    story.start()
    asked(story, call)
    orphan = story.arrive(call, own=True)
    story.act("cancel")
    story.end("aborted")
    story.open_gate()
    late = story.effect("run_command", invocation=1)
    story.start(turn=1, text="Again.", resume=True)
    second = story.call("c2", "run_command", command="npm test")
    asked(story, second)
    again = story.ran(second)
    finding = story.judge("effects_once")
    assert finding.verdict == "broken"
    assert finding.positions == (orphan, late, again, again + 1)
    assert "a late orphan of start 1" in finding.sentence


def test_without_ids_a_single_call_that_ran_twice_was_replayed(story):
    call = story.append("c1")
    killed_after_the_effect(story, call, named=False)
    story.start(text="", resume=True)
    story.ran(call, named=False)
    assert "the loop ran the same call again" in story.judge("effects_once").sentence


def test_without_ids_twice_is_broken_though_its_kind_is_a_guess(story):
    killed_after_the_effect(story, story.append("c1"), named=False)
    story.start(text="", resume=True)
    asked(story, story.append("c2"))
    story.ran(story.append("c2"), named=False)
    finding = story.judge("effects_once")
    assert finding.verdict == "broken"
    assert "the loop forgot it), as far as can be told without call ids" in finding.sentence


def test_what_the_model_wants_twice_may_happen_twice(story):
    first, second = story.append("c1"), story.append("c2")
    story.start()
    asked(story, first)
    story.ran(first)
    asked(story, second, story.made(first), story.result("c1"), step=2)
    story.ran(second)
    assert story.judge("effects_once").verdict == "held"


def test_what_the_model_wants_twice_because_it_was_not_told_is_broken(story):
    first, second = story.append("c1"), story.append("c2")
    story.start()
    asked(story, first)
    story.ran(first)
    request = asked(story, second, story.user("carry on"), step=2)
    story.ran(second)
    finding = story.judge("effects_once")
    assert finding.verdict == "broken"
    assert request in finding.positions
    assert "never told of the first call" in finding.sentence


def test_a_flattened_conversation_does_not_show_what_the_model_knew(story):
    first, second = story.append("c1"), story.append("c2")
    story.able["pairing"] = "text"
    story.start()
    asked(story, first)
    story.ran(first)
    asked(story, second, story.user("I have appended the line"), step=2)
    story.ran(second)
    assert story.judge("effects_once").verdict == "unknown"


@pytest.mark.parametrize("named", [True, False])
def test_two_equal_calls_of_one_batch_are_two(story, named):
    one, two = story.append("c1"), story.append("c2")
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    story.ran(one, named=named)
    story.ran(two, named=named)
    assert story.judge("effects_once").verdict == "held"


def test_without_ids_a_retried_twin_is_no_third_effect(story):
    one, two = story.append("c1"), story.append("c2")
    story.start()
    story.ask(story.user())
    story.reply(one, two)
    story.ran(one, named=False)
    story.arrive(two, named=False)
    story.lose()
    story.ran(two, named=False)
    assert story.judge("effects_once").verdict == "held"


def test_an_idempotent_tool_may_be_repeated(story):
    call = story.call("c1", "write_file", path="notes.txt", content="x")
    killed_after_the_effect(story, call)
    story.start(text="", resume=True)
    story.ran(call)
    assert story.judge("effects_once").verdict == "held"


def test_effects_that_nobody_asked_for_are_unknown(story):
    story.start()
    asked(story, story.call("c1", "read_file", path="notes.txt"))
    story.ran(story.append("c8"), named=False)
    story.ran(story.append("c9"), named=False)
    assert story.judge("effects_once").verdict == "unknown"


def test_a_call_that_may_be_hidden_behind_an_unknown_id_is_not_said_to_be_forgotten(story):
    one, two = story.append("c1"), story.append("c2")
    story.start()
    story.ask(story.user())
    story.reply(one)
    story.ran(one)
    own = story.append("call_7", "something else")
    story.ask(story.user(), story.made(own), story.result("call_7"))
    story.reply(two, step=2)
    story.ran(two)
    assert story.judge("effects_once").verdict == "unknown"
