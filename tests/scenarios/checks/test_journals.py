"""journal_ahead and turns_closed: what a loop's own journal must say."""

from __future__ import annotations

import pytest


def events(*lines):
    """`committed c1`, `item c1`, `started c1`, `ended c1`, `unrun c1`, `turn 0`, `end 0 why`."""
    return [_event(*line.split()) for line in lines]


def _event(kind, what, why="completed"):
    message = {"type": "assistant", "id": f"m-{what}", "calls": [{"id": what}]}
    return {
        "committed": {"type": "message_committed", "turn": 0, "message": message},
        "item": {"type": "item_committed", "turn": 0, "call": {"id": what}},
        "started": {"type": "call_started", "call_id": what},
        "ended": {"type": "call_ended", "call_id": what},
        "unrun": {"type": "call_not_executed", "call_id": what},
        "turn": {"type": "turn_started", "turn": int(what) if what.isdigit() else 0},
        "claim": {"type": "input_claimed", "turn": int(what) if what.isdigit() else 0},
        "end": {
            "type": "turn_ended",
            "turn": int(what) if what.isdigit() else 0,
            "end_reason": why,
        },
    }[kind]


def ran(story, *journal):
    story.start()
    story.ask(story.user())
    story.reply(story.append("c1"))
    arrived = story.ran(story.append("c1"))
    story.journal = events(*journal)
    return arrived


# --- journal_ahead ----------------------------------------------------------------------------


def test_written_ahead_holds(story):
    arrived = ran(story, "turn 0", "committed c1", "started c1", "ended c1")
    finding = story.judge("journal_ahead")
    assert (finding.verdict, finding.positions) == ("held", (arrived,))


@pytest.mark.parametrize(
    ("journal", "clause"),
    [
        (["turn 0"], "no journalled message makes this call"),
        (["committed c1"], "does not say that it started"),
        (["committed c1", "unrun c1"], "says that it was not executed"),
        (["committed c1", "started c1", "unrun c1"], "both that it started"),
        (["started c1", "committed c1"], "out of order"),
        (["committed c1", "ended c1", "started c1"], "out of order"),
    ],
)
def test_what_ran_and_was_not_written_ahead_is_broken(story, journal, clause):
    arrived = ran(story, *journal)
    finding = story.judge("journal_ahead")
    assert (finding.verdict, finding.positions) == ("broken", (arrived,))
    assert clause in finding.sentence


def test_a_call_that_was_committed_before_its_message_was_written_ahead(story):
    journal = ["turn 0", "item c1", "started c1", "ended c1", "committed c1", "end 0"]
    ran(story, *journal)
    story.end()
    assert story.judge("journal_ahead").verdict == "held"
    assert story.judge("turns_closed").verdict == "held"


def test_a_call_without_an_id_of_the_models_is_journalled_under_the_loops_own(story):
    story.start()
    story.ask(story.user())
    story.reply(story.append("c1"))
    arrived = story.ran(story.append("missing_id_7"))
    story.journal = events("committed missing_id_7", "started missing_id_7", "ended missing_id_7")
    finding = story.judge("journal_ahead")
    assert (finding.verdict, finding.positions) == ("held", (arrived,))


def test_a_message_is_committed_once(story):
    ran(story, "committed c1", "committed c1", "started c1", "ended c1")
    finding = story.judge("journal_ahead")
    assert finding.verdict == "broken"
    assert "commits m-c1 a second time" in finding.sentence


@pytest.mark.parametrize("check", ["journal_ahead", "turns_closed"])
def test_no_journal_is_not_applicable(story, check):
    ran(story)
    story.journal = None
    assert story.judge(check).verdict == "not_applicable"


def test_nothing_that_ran_is_not_applicable(story):
    story.start()
    story.journal = events("turn 0", "end 0")
    assert story.judge("journal_ahead").verdict == "not_applicable"


# --- turns_closed -----------------------------------------------------------------------------


def journalled(story, *journal):
    story.start()
    story.journal = events(*journal)
    return story.end()


def test_a_turn_with_one_end_holds(story):
    ended = journalled(story, "turn 0", "claim 0", "committed c1", "unrun c1", "end 0")
    finding = story.judge("turns_closed")
    assert (finding.verdict, finding.positions) == ("held", (ended,))


@pytest.mark.parametrize(
    ("journal", "clause"),
    [
        (["turn 0"], "was never closed"),
        (["turn 0", "end 0", "end 0 error"], "has 2 ends: completed, error"),
        (["claim 0", "turn 0", "end 0"], "claimed its input before it started"),
        (["end 0"], "without having started"),
        (["turn 0", "committed c1", "end 0"], "ended with open calls: c1"),
        (["turn 0", "item c1", "committed c1", "end 0"], "ended with open calls: c1"),
        (
            ["turn 0", "committed c1", "ended c1", "ended c1", "end 0"],
            "closed a call twice: c1",
        ),
        (["turn 0", "turn 1", "end 1"], "turn 0 of the journal was never closed"),
    ],
)
def test_a_turn_that_is_not_closed_once_is_broken(story, journal, clause):
    ended = journalled(story, *journal)
    finding = story.judge("turns_closed")
    assert (finding.verdict, finding.positions) == ("broken", (ended,))
    assert clause in finding.sentence


def test_the_turn_in_which_it_was_killed_for_good_may_be_open(story):
    story.start()
    story.journal = events("turn 0")
    story.kill()
    assert story.judge("turns_closed").verdict == "not_applicable"


def test_an_empty_journal_is_not_applicable(story):
    journalled(story)
    assert story.judge("turns_closed").verdict == "not_applicable"
