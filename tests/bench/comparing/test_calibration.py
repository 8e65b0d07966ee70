"""Calibration: what it counts, what it calls wrong, and the page that it writes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from faultloop.bench.comparing import calibration
from faultloop.bench.comparing.calibration import Outcome, calibrate, document, share
from faultloop.bench.comparing.simulated_comparisons import (
    CASES,
    FAMILY,
    SETS,
    Tally,
    added,
    choose,
    tally,
)

EQUAL = Tally(
    runs=2000,
    significant=90,
    better=45,
    worse=45,
    no_worse=0,
    covered=1900,
    rates_covered=1900,
    unclustered=90,
    by_mid_p=100,
    size=90.0,
)
STRONG = replace(EQUAL, better=1600, worse=0)


def outcome(**more: Tally) -> Outcome:
    return Outcome(
        case=CASES[0], effect=0.09, **{"equal": EQUAL, "better": STRONG, "worse": EQUAL, **more}
    )


def test_a_design_as_promised_has_no_faults() -> None:
    assert outcome().faults == []


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"equal": replace(EQUAL, better=75, worse=75)}, "false alarms are above 5 %"),
        ({"better": replace(STRONG, better=1500)}, "the stated power is not reached"),
        ({"worse": replace(EQUAL, no_worse=150)}, "worse by the margin is called no worse"),
    ],
)
def test_what_is_certainly_not_as_promised_is_a_fault(more: dict[str, Tally], says: str) -> None:
    (fault,) = outcome(**more).faults
    assert says in fault


def test_clusters_that_are_ignored_give_false_alarms_and_ours_do_not() -> None:
    seen = tally(replace(SETS, tasks=120, samples=5), margin=0.0, seed=(3,), runs=300)
    assert seen.told / seen.runs < 0.08
    assert seen.unclustered / seen.runs > 0.1
    assert seen.size / seen.runs == pytest.approx(0.045, abs=0.01)


def test_a_tally_follows_from_its_seed() -> None:
    first, again, other = (
        tally(CASES[1].world, margin=0.05, seed=(seed,), runs=40) for seed in (1, 1, 2)
    )
    assert first == again != other
    assert added([first, other]).runs == 80


def test_a_winner_wins_by_luck_on_the_half_that_chose_it_only() -> None:
    seen = choose(FAMILY, seed=(1,), runs=150)
    assert seen.gain / seen.runs > 0.015
    assert abs(seen.gain_held_out / seen.runs) < 0.015


def test_the_page_has_a_row_for_each_design(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "CASES", CASES[1:2])
    outcomes, chosen = calibrate(20, seed=1, processes=1)
    page = document(outcomes, chosen, seed=1)
    assert page.count(f"| {CASES[1].name} |") == 2
    assert "20 simulated comparisons for each row" in page
    assert outcomes[0].effect == pytest.approx(0.163, abs=0.01)


def test_the_page_in_docs_is_of_these_designs() -> None:
    page = (Path(__file__).parents[3] / "docs" / calibration.PAGE).read_text()
    assert all(page.count(f"| {case.name} |") == 2 for case in CASES)


def test_a_share_has_its_band() -> None:
    assert share(100, 2000) == "5.0 (4.1 to 6.0)"
    assert np.isclose(float(share(0, 10).split()[0]), 0.0)
