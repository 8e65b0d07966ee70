"""retry_manners, request_recovery, requests_bounded: asking again, and how often."""

from __future__ import annotations

import pytest

# --- retry_manners: requests ------------------------------------------------------------------


def test_waiting_as_asked_holds(story):
    story.start()
    asked = story.ask(story.user())
    failed = story.fail(429, retry_after_s=2.0)
    story.now_s = 2.0
    again = story.ask(story.user())
    finding = story.judge("retry_manners")
    assert (finding.verdict, finding.positions) == ("held", (asked, failed, again))


def test_coming_early_is_broken(story):
    story.start()
    asked = story.ask(story.user())
    failed = story.fail(429, retry_after_s=2.0)
    story.now_s = 1.5
    again = story.ask(story.user())
    finding = story.judge("retry_manners")
    assert (finding.verdict, finding.positions) == ("broken", (asked, failed, again))
    assert "after 1.50 s where the provider asked for 2 s" in finding.sentence


def test_a_retry_in_the_next_start_is_not_the_loops(story):
    story.start()
    story.ask(story.user())
    story.fail(429, retry_after_s=60.0)
    story.end("error")
    story.start(turn=1, text="So?", resume=True)
    story.ask(story.user(), story.user("So?"))
    assert story.judge("retry_manners").verdict == "held"


def test_not_retrying_holds(story):
    story.start()
    story.ask(story.user())
    failed = story.fail(500)
    story.end("error")
    finding = story.judge("retry_manners")
    assert (finding.verdict, finding.positions) == ("held", (failed,))


@pytest.mark.parametrize(
    ("messages", "verdict"), [(("the same",), "broken"), (("repaired", "anew"), "held")]
)
def test_what_was_rejected_is_not_sent_again(story, messages, verdict):
    story.start()
    story.ask(story.user("the same"))
    story.refuse()
    story.now_s = 1.0
    story.ask(*map(story.user, messages))
    assert story.judge("retry_manners").verdict == verdict


def test_three_tries_without_a_pause_are_broken(story):
    story.start()
    for _ in range(3):
        story.ask(story.user())
        story.fail(503)
    assert story.judge("retry_manners").verdict == "broken"


def test_one_quick_retry_is_no_rush(story):
    story.start()
    story.ask(story.user())
    story.fail(503)
    story.ask(story.user())
    story.reply(text="Done.")
    assert story.judge("retry_manners").verdict == "held"


def test_nothing_failed_is_not_applicable(story):
    story.start()
    story.ask(story.user())
    story.reply(text="Done.")
    assert story.judge("retry_manners").verdict == "not_applicable"


# --- retry_manners: tools ---------------------------------------------------------------------


def tried_twice(story, call, **second):
    story.start()
    story.ask(story.user())
    story.reply(call)
    first = story.arrive(call, key="k1")
    story.lose()
    return first, story.arrive(call, **second)


def test_a_call_that_is_not_idempotent_is_not_repeated_by_the_loop(story):
    proof = tried_twice(story, story.append("c1"))
    finding = story.judge("retry_manners")
    assert (finding.verdict, finding.positions) == ("broken", proof)


def test_a_read_may_be_repeated(story):
    tried_twice(story, story.call("c1", "read_file", path="notes.txt"))
    assert story.judge("retry_manners").verdict == "held"


@pytest.mark.parametrize(("key", "verdict"), [("k1", "held"), ("k2", "broken"), (None, "broken")])
def test_a_key_makes_a_repeat_harmless_where_it_is_honoured(story, key, verdict):
    tried_twice(story, story.call("c1", "charge_customer", customer="c", cents=5), key=key)
    assert story.judge("retry_manners").verdict == verdict


def test_a_key_is_worth_nothing_where_it_is_not_honoured(story):
    story.changes["world"] = {"payments": {"honours_key": False}}
    tried_twice(story, story.call("c1", "charge_customer", customer="c", cents=5), key="k1")
    assert story.judge("retry_manners").verdict == "broken"


def test_what_says_not_retryable_is_not_tried_again(story):
    call = story.call("c1", "read_file", path="notes.txt")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    story.answer(status=500, outcome="failed", body='{"ok":false,"retryable":false}')
    story.arrive(call)
    assert story.judge("retry_manners").verdict == "broken"


def test_running_what_had_succeeded_is_no_retry_but_a_replay(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.ran(call)
    story.ran(call)
    assert story.judge("retry_manners").verdict == "not_applicable"
    assert story.judge("effects_once").verdict == "broken"


def test_a_call_in_another_start_is_no_retry(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    story.kill()
    story.start(text="", resume=True)
    story.arrive(call)
    assert story.judge("retry_manners").verdict == "not_applicable"


# --- request_recovery -------------------------------------------------------------------------


def failed_after_a_tool(story):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    arrived = story.ran(call)
    request = story.ask(story.user(), story.made(call), story.result("c1"))
    story.fail(500)
    return arrived, request


def test_asking_again_holds(story):
    proof = failed_after_a_tool(story)
    story.ask(story.user(), story.made(story.append("c1")), story.result("c1"))
    finding = story.judge("request_recovery")
    assert (finding.verdict, finding.positions) == ("held", proof)


@pytest.mark.parametrize("named", [True, False])
def test_starting_over_is_broken(story, named):
    arrived, request = failed_after_a_tool(story)
    story.ask(story.user())
    story.reply(story.append("c2"))
    again = story.ran(story.append("c2"), named=named)
    finding = story.judge("request_recovery")
    assert (finding.verdict, finding.positions) == ("broken", (arrived, request, again))


def test_a_tool_of_a_later_step_is_no_repeat(story):
    failed_after_a_tool(story)
    story.ask(story.user(), story.made(story.append("c1")), story.result("c1"))
    story.reply(story.append("c2"), step=2)
    story.ran(story.append("c2"))
    assert story.judge("request_recovery").verdict == "held"


def test_a_failure_before_any_tool_is_not_applicable(story):
    story.start()
    story.ask(story.user())
    story.fail(500)
    story.ask(story.user())
    story.reply(story.append("c1"))
    story.ran(story.append("c1"))
    assert story.judge("request_recovery").verdict == "not_applicable"


# --- requests_bounded -------------------------------------------------------------------------


def test_within_the_bound_holds(story):
    story.start()
    asked = [story.ask(story.user()) for _ in range(4)]
    finding = story.judge("requests_bounded")
    assert (finding.verdict, finding.positions) == ("held", (asked[-1],))


def test_the_first_request_too_many_is_the_proof(story):
    story.start()
    asked = [story.ask(story.user()) for _ in range(6)]
    finding = story.judge("requests_bounded")
    assert (finding.verdict, finding.positions) == ("broken", (asked[4],))
    assert finding.sentence == "6 requests where 4 are enough"


def test_the_providers_cap_is_no_bound_of_the_loop(story):
    story.changes["max_requests"] = 120
    story.start()
    asked = story.ask(story.user())
    story.refuse("request_cap")
    finding = story.judge("requests_bounded")
    assert (finding.verdict, finding.positions) == ("broken", (asked,))


def test_side_requests_are_no_steps(story):
    story.start()
    for _ in range(6):
        story.ask(story.user(), tools=())
        story.reply(text="A title", cursor="side", step=0)
    story.ask(story.user())
    assert story.judge("requests_bounded").verdict == "held"


def test_no_request_is_not_applicable(story):
    story.start()
    story.end("error")
    assert story.judge("requests_bounded").verdict == "not_applicable"
