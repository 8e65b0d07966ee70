"""Conclusions about several candidates, slices, and what else is counted."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from tests.reports.accuracy.observed import asked, once, table

from faultloop.reports.accuracy.concluding import CannotConclude, conclude
from faultloop.reports.accuracy.conclusion import Conclusions, Difference, Verdict
from faultloop.scenarios.wordings.answer import Usage
from faultloop.scenarios.wordings.observation import Observation
from faultloop.scenarios.wordings.score import Flaw, Mistake


def concluded(observations: list[Observation], **more: Any) -> Conclusions:
    return conclude(observations, **{"base": "a", "candidates": ["b"], **more})


def headline(observations: list[Observation], **more: Any) -> Difference:
    return concluded(observations, **more).headline


# Several candidates.


def test_the_winner_is_chosen_on_one_half_and_reported_on_the_other() -> None:
    chance = random.Random(8)
    rates = {"a": 0.5, "b": 0.5, "c": 0.8, "d": 0.5}
    rows = {name: [[chance.random() < rate] for _ in range(400)] for name, rate in rates.items()}
    found = concluded(table(rows), candidates=["b", "c", "d"], metrics=["selection"])
    assert found.headline.held_out
    assert found.headline.candidate == "c"
    assert found.headline.verdict is Verdict.BETTER
    assert found.headline.tasks == 200
    assert found.headline.correction == "none"
    assert "‘c’ did best on the 200 tasks of one half" in found.notes[0]
    assert [one.candidate for one in found.differences] == ["b", "c", "d"]
    assert not any(one.held_out for one in found.differences)


def test_declared_pairs_are_corrected_by_holm_and_so_are_their_intervals() -> None:
    hits = [(0, 1, 1)] * 13 + [(1, 0, 0)] * 3 + [(1, 1, 1)] * 64
    rows = {name: [[hit[place]] for hit in hits] for place, name in enumerate("abc")}
    found = concluded(table(rows), candidates=["b", "c"], metrics=["selection"])
    first, second = found.differences
    assert first.p == pytest.approx(0.02127, abs=5e-6)
    assert first.p_corrected == pytest.approx(2 * first.p)
    assert first.correction == "Holm over 2 pairs"
    assert (first.level, second.level) == pytest.approx((0.975, 0.95))
    assert first.interval_corrected.low < first.interval.low
    assert second.interval_corrected == second.interval


def test_only_declared_pairs_are_tested() -> None:
    rows = {name: [[task % (2 + place)] for task in range(40)] for place, name in enumerate("abc")}
    found = concluded(table(rows), candidates=["b", "c"], pairs=[("b", "c")], metrics=["selection"])
    assert [(one.base, one.candidate) for one in found.differences] == [("b", "c")]


# Slices and what else is counted.


def test_slices_are_marked_exploratory_and_corrected_together() -> None:
    observations = [
        asked(wording, f"t{task}", hit, expected=("read", "list")[task % 2])
        for task in range(60)
        for wording, hit in (("a", task % 2), ("b", 1))
    ]
    found = concluded(
        observations, metrics=["selection"], slices={"tag": {"early": {"t0", "t2", "nowhere"}}}
    )
    by_name = {(one.kind, one.name): one for one in found.slices}
    assert set(by_name) == {("tool", "list"), ("tool", "read"), ("tag", "early")}
    read = by_name["tool", "read"]
    assert (read.base_rate, read.candidate_rate) == (0.0, 1.0)
    assert read.difference.exploratory
    assert read.difference.correction == "Benjamini-Hochberg over 3 slices"
    assert read.difference.p_corrected == pytest.approx(3 * read.difference.p)
    assert by_name["tag", "early"].difference.tasks == 2
    assert by_name["tag", "early"].difference.verdict is Verdict.CANNOT_TELL


def test_flips_confusions_and_mistakes_are_counted() -> None:
    missing = Flaw(mistake=Mistake.MISSING, parameter="path")
    observations = [
        asked("a", "t1", 1),
        asked("b", "t1", 0, chosen="list"),
        asked("a", "t2", 0, chosen="list"),
        asked("b", "t2", 1),
        msgspec.structs.replace(asked("a", "t3", 1, filled=False), flaws=(missing, missing)),
        asked("b", "t3", 1, filled=True),
    ]
    found = concluded(observations, metrics=["selection"])
    assert [
        (one.task, one.base_chosen, one.candidate_chosen, one.gained) for one in found.flips
    ] == [
        ("t1", "read", "list", False),
        ("t2", "list", "read", True),
    ]
    cells = {(one.wording, one.expected, one.chosen): one.count for one in found.confusions}
    assert cells == {
        ("a", "read", "read"): 2,
        ("a", "read", "list"): 1,
        ("b", "read", "read"): 2,
        ("b", "read", "list"): 1,
    }
    assert [(one.wording, one.mistake, one.count) for one in found.mistakes] == [
        ("a", Mistake.MISSING, 1)
    ]


def test_what_was_spent_is_summed() -> None:
    used = Usage(input_tokens=10, output_tokens=2, cached_tokens=4)
    observations = [
        msgspec.structs.replace(one, usage=used, cost_usd=0.5 if one.wording == "b" else None)
        for one in once(1, 1, 8)
    ]
    a, b = concluded(observations).spent
    assert (a.input_tokens, a.output_tokens, a.cached_tokens, a.cost_usd) == (100, 20, 40, None)
    assert b.cost_usd == pytest.approx(5.0)


# Whose fault it is.


def test_tasks_that_only_one_wording_was_asked_are_named_and_left_out() -> None:
    observations = [one for one in once(13, 3, 64) if (one.wording, one.task) != ("b", "t0000")]
    found = concluded(observations)
    assert found.headline.tasks == 79
    assert found.headline.gained == 12
    assert any(
        "The run did not ask ‘b’ 1 of 80 tasks (t0000); only tasks that both" in one
        for one in found.notes
    )


def test_an_order_that_only_one_wording_was_asked_is_left_out() -> None:
    observations = once(13, 3, 64)
    found = concluded([*observations, asked("a", "t0000", 1, cluster="c000", order=1)])
    assert found.headline == headline(observations)
    assert any("only one of ‘a’ and ‘b’ (1 in all) are not compared" in one for one in found.notes)


@pytest.mark.parametrize(
    ("observations", "more", "says"),
    [
        (once(1, 1, 1), {"candidates": ["c"]}, "no observation of wording 'c'"),
        (once(1, 1, 1), {"candidates": []}, "No candidate is named"),
        (once(1, 1, 1), {"candidates": ["a"]}, "Two wordings have one name"),
        (once(1, 1, 1), {"margin": 2}, "write 0.02 for 2 points"),
        (once(1, 1, 1), {"metrics": ["arguments"]}, "known of every task"),
        (once(1, 1, 1), {"pairs": [("a", "z")]}, "The pair"),
        (once(1, 1, 1) * 2, {}, "is there twice"),
        ([*once(1, 1, 1), asked("a", "t0000", 1, cluster="x", order=2)], {}, "'c000' in one"),
        ([asked("a", "t1", 1), asked("b", "t2", 1)], {}, "were asked no task in common"),
        (
            [*once(0, 0, 1), asked("c", "t0000", 1, cluster="c000")],
            {"candidates": ["b", "c"]},
            "at least two clusters",
        ),
    ],
)
def test_what_cannot_be_compared_says_whose_fault_it_is(
    observations: list[Observation], more: dict[str, Any], says: str
) -> None:
    with pytest.raises(CannotConclude, match=says.replace("(", r"\(")):
        concluded(observations, **more)
