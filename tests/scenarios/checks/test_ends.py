"""end_acceptable: the alternatives of a scenario, each judged as a whole."""

from __future__ import annotations

import pytest


def played(story, reason="completed", *, effects=1, **said):
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    applied = [story.effect() for _ in range(effects)]
    story.lose()
    return applied, story.end(reason, **said)


def accept(story, *alternatives):
    story.changes["accept"] = list(alternatives)


def test_a_fitting_end_holds(story):
    accept(story, {"end_reason": ["completed"], "effects": 1})
    applied, ended = played(story)
    finding = story.judge("end_acceptable")
    assert (finding.verdict, finding.positions) == ("held", (*applied, ended))


def test_a_refusal_is_a_pass(story):
    accept(
        story,
        {"end_reason": ["completed"], "effects": 1},
        {"end_reason": ["error", "blocked"], "effects": 0},
    )
    played(story, "error", effects=0)
    assert story.judge("end_acceptable").verdict == "held"


def test_alternatives_are_not_mixed(story):
    accept(
        story,
        {"end_reason": ["completed"], "effects": 1},
        {"end_reason": ["error"], "effects": 0},
    )
    _, ended = played(story, "completed", effects=0)
    finding = story.judge("end_acceptable")
    assert (finding.verdict, finding.positions) == ("broken", (ended,))
    assert finding.sentence == (
        "accepted: completed, 1 effect or error, 0 effects; seen: completed, 0 effects, 1 reply"
    )


@pytest.mark.parametrize(
    ("reason", "effects", "by_account"),
    [
        ("error", 1, True),  # what was seen is accepted, what was said is not
        ("completed", 0, True),  # an error would have been accepted
        ("completed", 2, False),  # nobody's word makes two effects right
        ("error", 2, False),
    ],
)
def test_what_rests_on_the_subjects_word_alone_says_so(story, reason, effects, by_account):
    accept(
        story,
        {"end_reason": ["completed"], "effects": 1},
        {"end_reason": ["error"], "effects": 0},
    )
    played(story, reason, effects=effects)
    finding = story.judge("end_acceptable")
    assert (finding.verdict, finding.by_account) == ("broken", by_account)


def test_a_driver_that_asked_nothing_has_shown_no_loop(story):
    accept(story, {"end_reason": ["completed"], "replies": [1, 2]})
    story.start()
    story.end("error")
    finding = story.judge("end_acceptable")
    assert (finding.verdict, finding.by_account) == ("broken", True)


@pytest.mark.parametrize("reason", ["completed", "error"])
def test_what_is_not_broken_rests_on_nobodys_word(story, reason):
    accept(story, {"end_reason": [reason], "effects": 1})
    played(story, reason)
    assert not story.judge("end_acceptable").by_account


@pytest.mark.parametrize(("effects", "verdict"), [(0, "broken"), (1, "held"), (2, "held")])
def test_effects_may_be_a_range(story, effects, verdict):
    accept(story, {"effects": [1, 2]})
    played(story, effects=effects)
    assert story.judge("end_acceptable").verdict == verdict


def test_replies_tell_whether_it_asked_again(story):
    accept(story, {"end_reason": ["completed"], "replies": [2, 9]})
    played(story)
    finding = story.judge("end_acceptable")
    assert finding.verdict == "broken"
    assert "1 reply" in finding.sentence


def test_what_did_not_end_is_broken_whatever_is_accepted(story):
    accept(story, {"effects": 0})
    story.start()
    story.ask(story.user())
    ended = story.end(None, how="did_not_end")
    finding = story.judge("end_acceptable")
    assert (finding.verdict, finding.positions) == ("broken", (ended,))
    assert "did not end" in finding.sentence


def test_a_cancel_that_had_to_be_enforced_is_broken(story):
    accept(story, {"effects": 0})
    story.start()
    story.act("cancel")
    story.end(None, how="killed")
    assert "did not end after it was cancelled" in story.judge("end_acceptable").sentence


def test_silence_is_an_error(story):
    accept(story, {"end_reason": ["error"]})
    played(story, None, code=1)
    assert story.judge("end_acceptable").verdict == "held"


def test_death_by_the_users_cancel_is_an_abort(story):
    accept(story, {"end_reason": ["aborted"]})
    story.start()
    story.act("cancel")
    story.end(None, code=-2)
    assert story.judge("end_acceptable").verdict == "held"


# --- killed -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("ends", "verdict"), [(["killed"], "held"), (["completed"], "broken")])
def test_a_killed_turn_that_nobody_goes_on_with_ended_killed(story, ends, verdict):
    accept(story, {"end_reason": ends})
    story.start()
    story.ask(story.user())
    story.kill()
    story.start(turn=1, text="So?", resume=True)
    story.end("completed")
    assert story.judge("end_acceptable").verdict == verdict


def test_recovery_may_say_how_a_killed_turn_ended(story):
    accept(story, {"end_reason": ["interrupted"]})
    story.start()
    story.kill()
    story.start(turn=1, text="So?", resume=True)
    story.end("completed", recovered=("interrupted",))
    assert story.judge("end_acceptable").verdict == "held"


def test_a_start_that_goes_on_with_the_turn_ends_it(story):
    accept(story, {"end_reason": ["completed"]})
    story.start()
    story.kill()
    story.start(text="", resume=True)
    ended = story.end("completed")
    finding = story.judge("end_acceptable")
    assert (finding.verdict, finding.positions) == ("held", (ended,))


# --- the next turn, and what was told ---------------------------------------------------------


@pytest.mark.parametrize(("reason", "verdict"), [("completed", "held"), ("error", "broken")])
def test_the_next_turn_must_fit_too(story, reason, verdict):
    accept(story, {"next_turn": ["completed"]})
    played(story, "aborted")
    story.start(turn=1, text="So?", resume=True)
    story.end(reason)
    assert story.judge("end_acceptable").verdict == verdict


def test_a_next_turn_that_was_not_played_is_not_missed(story):
    accept(story, {"end_reason": ["completed"], "next_turn": ["completed"]})
    played(story)
    assert story.judge("end_acceptable").verdict == "held"


@pytest.mark.parametrize(
    ("text", "wanted", "verdict"),
    [
        ("The outcome is unknown.", "unknown", "held"),
        ("The outcome is unknown.", "true", "held"),
        ("It was already created.", "true", "held"),
        ("It was already created.", "unknown", "broken"),
        ("It was not executed.", "true", "broken"),
        ("504", "true", "unknown"),
    ],
)
def test_what_was_told_must_fit_too(story, text, wanted, verdict):
    accept(story, {"told": wanted})
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    story.effect()
    story.lose()
    story.ask(story.user(), story.made(call), story.result("c1", text))
    story.end()
    assert story.judge("end_acceptable").verdict == verdict


def test_nothing_that_could_tell_is_not_missed(story):
    accept(story, {"end_reason": ["error"], "told": "unknown"})
    played(story, "error")
    assert story.judge("end_acceptable").verdict == "held"


def test_a_play_without_an_end_is_unknown(story):
    story.start()
    assert story.judge("end_acceptable").verdict == "unknown"


def test_a_call_that_vanished_was_not_told_truly(story):
    accept(story, {"told": "true"})
    call = story.append("c1")
    story.start()
    story.ask(story.user())
    story.reply(call)
    story.arrive(call)
    story.effect()
    story.lose()
    story.ask(story.user(), story.user("carry on"))
    story.end()
    finding = story.judge("end_acceptable")
    assert finding.verdict == "broken"
    assert "told nothing" in finding.sentence


def test_an_error_is_quoted_on_one_line(story):
    accept(story, {"end_reason": ["completed"]})
    played(story, "error", error="HTTP 504:\n<html>\n" + "x" * 500)
    sentence = story.judge("end_acceptable").sentence
    assert "error: HTTP 504: <html> xxx" in sentence
    assert len(sentence) < 300


# --- one call a reply -------------------------------------------------------------------------


def asked_in_parts(story):
    """A step of two calls that takes two replies, because the request allows one call a reply."""
    story.start()
    for part, call_id in enumerate(("c1", "c2"), 1):
        story.ask(story.user(), one_call=True)
        story.reply(story.append(call_id), part=part)
        story.arrive(story.append(call_id))
        story.answer()
    story.ask(story.user(), one_call=True)
    story.reply(text="Done.", step=2)
    story.end()


@pytest.mark.parametrize(
    ("check", "changes"),
    [
        ("end_acceptable", {"accept": [{"end_reason": ["completed"], "replies": 2}]}),
        ("requests_bounded", {"max_requests": 2}),
    ],
)
def test_the_parts_of_a_step_count_as_one(story, check, changes):
    story.changes.update(changes)
    asked_in_parts(story)
    assert story.judge(check).verdict == "held"


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("Refused: the same call was made before.", "held"),
        ("Same call as c1; its result is above.", "held"),
        ("Let us go on.", "unknown"),
        ("", "broken"),
        ("Charged.", "broken"),
        (None, "broken"),
    ],
)
def test_a_guard_may_refuse_a_repeat_if_it_says_so(story, told, verdict):
    story.changes["accept"] = [
        {"end_reason": ["completed"], "effects": 2},
        {"end_reason": ["completed"], "effects": 1, "refused": 1},
    ]
    first, again = (
        story.call(one, "charge_customer", customer="c", cents=5) for one in ("c1", "c2")
    )
    story.start()
    story.ask(story.user())
    story.reply(first)
    story.ran(first)
    so_far = (story.user(), story.made(first), story.result("c1"))
    story.ask(*so_far)
    story.reply(again, step=2)
    if told is None:  # made under the key of the first: one payment for two calls
        story.arrive(again)
        story.answer()
    story.ask(*so_far, story.made(again), story.result("c2", told or ""))
    story.reply(text="Both are paid.", step=3)
    story.end()
    assert story.judge("end_acceptable").verdict == verdict


def test_what_was_refused_cannot_be_told_from_plain_text(story):
    story.changes["accept"] = [{"end_reason": ["completed"], "refused": 1}]
    story.able["pairing"] = "text"
    story.start()
    story.ask(story.user())
    story.reply(text="Done.")
    story.end()
    assert story.judge("end_acceptable").verdict == "unknown"
