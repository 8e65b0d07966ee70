"""failure_stays_own, pool_bounded and exclusive_not_overlapping's order: the calls of a batch."""

from __future__ import annotations

import pytest

from faultloop.scenarios.checks.pool_bounded import BATCH_MIN


def batch(story, *calls):
    story.start()
    story.ask(story.user())
    return story.reply(*calls)


# --- failure_stays_own ------------------------------------------------------------------------


def failing(story, *, good_runs):
    edit = story.call("c1", "edit_file", path="notes.txt", old="z", new="y")
    append = story.append("c2")
    batch(story, edit, append)
    story.arrive(edit)
    story.answer(status=500, outcome="failed", body='{"ok":false,"message":"no z"}')
    if good_runs:
        story.ran(append)
    return edit, append


@pytest.mark.parametrize(("good_runs", "verdict"), [(True, "held"), (False, "broken")])
def test_a_good_call_runs_beside_one_that_failed(story, good_runs, verdict):
    failing(story, good_runs=good_runs)
    story.end()
    assert story.judge("failure_stays_own").verdict == verdict


def test_a_good_call_runs_beside_one_that_cannot(story):
    unknown = story.call("c1", "open_file", path="notes.txt")
    batch(story, unknown, story.append("c2"))
    story.end()
    finding = story.judge("failure_stays_own")
    assert finding.verdict == "broken"
    assert "append_file could be run and was not" in finding.sentence


@pytest.mark.parametrize("reason", ["max_steps", "timeout"])
def test_a_limit_excuses_a_call(story, reason):
    failing(story, good_runs=False)
    story.end(reason, code=1)
    assert story.judge("failure_stays_own").verdict == "not_applicable"


def test_a_cancel_excuses_a_call(story):
    failing(story, good_runs=False)
    story.act("cancel")
    story.end("aborted", code=1)
    assert story.judge("failure_stays_own").verdict == "not_applicable"


def test_a_call_that_fits_not_is_no_good_one(story):
    wrong = story.call("c2", "append_file", path="notes.txt", line=1)
    edit = story.call("c1", "edit_file", path="notes.txt", old="z", new="y")
    batch(story, edit, wrong)
    story.arrive(edit)
    story.answer(status=500, outcome="failed", body="{}")
    story.end()
    assert story.judge("failure_stays_own").verdict == "not_applicable"


def test_a_repeat_of_what_has_run_may_be_refused(story):
    _, append = failing(story, good_runs=True)
    story.ask(story.user())
    again = story.append("c4")
    edit = story.call("c3", "edit_file", path="notes.txt", old="z", new="y")
    story.reply(edit, again, step=2)
    story.arrive(edit)
    story.answer(status=500, outcome="failed", body="{}")
    story.end()
    assert append.arguments == again.arguments
    assert story.judge("failure_stays_own").verdict == "held"


# --- pool_bounded -----------------------------------------------------------------------------


def reading(story, number, *, pool, held=True):
    """A batch of reads of which `pool` are under way at a time."""
    calls = [story.call(f"c{n}", "read_file", path=f"m/{n}") for n in range(number)]
    batch(story, *calls)
    for first in range(0, number, pool):
        window = range(first, min(first + pool, number))
        for n in window:
            story.arrive(calls[n])
            if held:
                story.hold()
        for n in window:
            story.answer(f"line {n}", invocation=n + 1)


@pytest.mark.parametrize(
    ("pool", "verdict"),
    [(1, "held"), (8, "held"), (32, "held"), (BATCH_MIN - 1, "held"), (BATCH_MIN, "broken")],
)
def test_a_pool_has_a_bound(story, pool, verdict):
    reading(story, BATCH_MIN, pool=pool)
    finding = story.judge("pool_bounded")
    assert finding.verdict == verdict
    assert f"{pool} of {BATCH_MIN} calls were under way at once" in finding.sentence


@pytest.mark.parametrize(("number", "verdict"), [(BATCH_MIN, "broken"), (BATCH_MIN - 1, "held")])
def test_a_call_that_is_tried_twice_at_a_time_is_one(story, number, verdict):
    calls = [story.call(f"c{n}", "read_file", path=f"m/{n}") for n in range(BATCH_MIN)]
    batch(story, *calls)
    for call in (*calls[:number], calls[0]):
        story.arrive(call)
        story.hold()
    finding = story.judge("pool_bounded")
    assert finding.verdict == verdict
    assert f"{number} of {BATCH_MIN} calls were under way at once" in finding.sentence


def test_a_small_batch_proves_nothing(story):
    reading(story, BATCH_MIN - 1, pool=BATCH_MIN - 1)
    assert story.judge("pool_bounded").verdict == "not_applicable"


def test_quick_calls_prove_nothing(story):
    reading(story, BATCH_MIN, pool=8, held=False)
    assert story.judge("pool_bounded").verdict == "not_applicable"


# --- exclusive_not_overlapping: order ---------------------------------------------------------


def test_what_stands_behind_an_exclusive_call_does_not_run_before_it(story):
    append, read = story.append("c1"), story.call("c2", "read_file", path="notes.txt")
    batch(story, append, read)
    early = story.arrive(read)
    story.answer("a")
    late = story.ran(append)
    finding = story.judge("exclusive_not_overlapping")
    assert (finding.verdict, finding.positions) == ("broken", (early, late))
    assert "read_file ran before append_file" in finding.sentence


def test_reads_may_run_in_any_order(story):
    one, other = (story.call(f"c{n}", "read_file", path=f"{n}.txt") for n in (1, 2))
    batch(story, one, other)
    story.arrive(other)
    story.answer("b")
    story.arrive(one)
    story.answer("a")
    assert story.judge("exclusive_not_overlapping").verdict == "not_applicable"
