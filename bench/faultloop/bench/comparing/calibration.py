"""Calibration: comparisons whose truth is known, and how often the verdict is wrong about it.

Each design is played three times: both wordings equally good, the candidate better by what was
stated to be detectable before the run, and the candidate worse by the margin. `make calibration`
(`python -m faultloop.bench.comparing.calibration`) prints the tables, writes docs/calibration.md,
and fails where false alarms are certainly above 5 % or stated power is certainly missed.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from faultloop.bench.comparing.simulated_comparisons import (
    CASES,
    FAMILY,
    Case,
    Chosen,
    Tally,
    added,
    choose,
    tally,
)
from faultloop.reports.accuracy.judging import ALPHA
from faultloop.reports.accuracy.saying import points
from faultloop.reports.accuracy.simulating import World, assumed
from faultloop.reports.accuracy.statistics.power import POWER, detectable
from faultloop.reports.accuracy.statistics.wilson import wilson

PAGE = "calibration.md"
RUNS = 4_000
CHUNK = 250
"""Comparisons that one process draws at a time: a few megabytes an array."""
MARGIN = 0.05
CERTAIN = 0.999
"""Level of the band beyond which a figure is called wrong: many are looked at."""
CLUSTERS_FEW = 20
"""Below this the interval is known to be narrow, which conclusions say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One design, calibrated."""

    case: Case
    effect: float
    """What was stated to be detectable before the run."""
    equal: Tally
    better: Tally
    worse: Tally
    """By the margin."""

    @property
    def faults(self) -> list[str]:
        """What is certainly not as promised."""
        found = []
        clusters = np.unique(self.case.world.clusters).size
        alarms, reached, excused = (
            wilson(count / seen.runs, seen.runs, level=CERTAIN)
            for count, seen in (
                (self.equal.told, self.equal),
                (self.better.better, self.better),
                (self.worse.no_worse, self.worse),
            )
        )
        if alarms.low > ALPHA:
            found.append(f"{self.case.name}: false alarms are above 5 %")
        if reached.high < POWER:
            found.append(f"{self.case.name}: the stated power is not reached")
        if excused.low > ALPHA and clusters > CLUSTERS_FEW:
            found.append(f"{self.case.name}: what is worse by the margin is called no worse")
        return found


def calibrate(runs: int, *, seed: int, processes: int) -> tuple[list[Outcome], Chosen]:
    """All designs, in so many processes."""
    effects = [detectable(case.world.tasks, assumed(case.world)) or 0.0 for case in CASES]
    with ProcessPoolExecutor(processes) as pool:
        started = [
            [
                [
                    pool.submit(tally, world, margin=margin, seed=(seed, *place, start), runs=size)
                    for start, size in _chunks(runs)
                ]
                for world, margin, place in _scenarios(number, case, effect)
            ]
            for number, (case, effect) in enumerate(zip(CASES, effects, strict=True))
        ]
        families = [
            pool.submit(choose, FAMILY, seed=(seed, len(CASES), start), runs=size)
            for start, size in _chunks(runs)
        ]
        outcomes = []
        for case, effect, scenarios in zip(CASES, effects, started, strict=True):
            equal, better, worse = (
                added([one.result() for one in scenario]) for scenario in scenarios
            )
            outcomes.append(
                Outcome(case=case, effect=effect, equal=equal, better=better, worse=worse)
            )
        return outcomes, added([one.result() for one in families])


def _chunks(runs: int) -> list[tuple[int, int]]:
    """Start and size of each."""
    return [(start, min(CHUNK, runs - start)) for start in range(0, runs, CHUNK)]


def _scenarios(
    number: int, case: Case, effect: float
) -> list[tuple[World, float, tuple[int, int]]]:
    """World, margin and seed: equal, better, worse by the margin."""
    return [
        (replace(case.world, effect=one), margin, (number, place))
        for place, (one, margin) in enumerate(((0.0, 0.0), (effect, 0.0), (-MARGIN, MARGIN)))
    ]


HEAD_EQUAL = (
    "design",
    "false verdicts",
    "p < 0.05",
    "exact test's size",
    "mid-p < 0.05",
    "clusters ignored",
    "intervals that hold 0",
    "intervals that hold the base's rate",
)
HEAD_EFFECT = (
    "design",
    "stated as detectable",
    "called better",
    "called worse",
    "intervals that hold it",
    "called no worse at minus the margin",
)

HEAD_SEVERAL = ("200 tasks, one sample, three candidates", "percent, or points")


def share(count: float, runs: int) -> str:
    """A share in percent with its 95 % band: the Monte Carlo error."""
    band = wilson(count / runs, runs)
    return f"{count / runs * 100:.1f} ({band.low * 100:.1f} to {band.high * 100:.1f})"


def equal_row(one: Outcome) -> tuple[str, ...]:
    """Both wordings equally good."""
    seen, world = one.equal, one.case.world
    return (
        one.case.name,
        share(seen.told, seen.runs),
        share(seen.significant, seen.runs),
        f"{seen.size / seen.runs * 100:.1f}",
        share(seen.by_mid_p, seen.runs) if world.once else "",
        "" if world.sizes == (1,) else share(seen.unclustered, seen.runs),
        share(seen.covered, seen.runs),
        share(seen.rates_covered, seen.runs),
    )


def effect_row(one: Outcome) -> tuple[str, ...]:
    """The candidate better, or worse by the margin."""
    seen = one.better
    return (
        one.case.name,
        f"{one.effect * 100:.1f} points",
        share(seen.better, seen.runs),
        share(seen.worse, seen.runs),
        share(seen.covered, seen.runs),
        share(one.worse.no_worse, one.worse.runs),
    )


def family_rows(chosen: Chosen) -> list[tuple[str, str]]:
    """Three candidates, none of them better."""
    runs = chosen.runs
    return [
        ("any pair with p < 0.05, not corrected", share(chosen.uncorrected, runs)),
        ("any verdict of better or worse, by Holm", share(chosen.by_holm, runs)),
        ("winner called better on the tasks that chose it", share(chosen.same_tasks, runs)),
        ("winner called better on the other half", share(chosen.held_out, runs)),
        ("what the winner seems to win by, on the half that chose it", points(chosen.gain / runs)),
        ("what it wins by on the other half", points(chosen.gain_held_out / runs)),
    ]


LAW = """# Calibration: how often a verdict is wrong

{runs:,} simulated comparisons for each row, judged by the code that judges real ones; in brackets
the 95 % band of the simulation itself. All figures are percent. Written by `make calibration`
(seed {seed}); the designs are `CASES` in `bench/comparing/simulated_comparisons.py`, what is drawn
is `reports/accuracy/simulating.py`.
"""
EQUAL = """## Both wordings equally good: false alarms

A false verdict is "better" or "worse" where neither is true; 5 % at most. The tests are exact, and
stay somewhat below 5 % because so few values of p are possible: "exact test's size" is how often
they would give p < 0.05 over all flips of what was seen, which says the same as the column before
it with less noise. For McNemar's test the mid-p shows that nothing but this keeps it low. Tasks
that share a tool set are alike: "clusters ignored" is what taking them for independent would do.
Intervals are of 95 %.
"""
EFFECT = """## A true difference: power and coverage

The candidate is truly better by what was stated to be detectable before the run, which is to be
seen in 80 % of runs. In the last column it is truly worse by the margin of {margin:.0f} points,
where "no worse within the margin" should be said in 5 %; this rests on the interval alone. Where
tool sets are few the interval is somewhat narrow, which conclusions say below {few} of them.
"""
SEVERAL = """## Three candidates, none better

With several candidates some pair looks better by luck, and the winner most of all: of two equal
wordings one is called better in 2.5 % at most. On the other half the winner's luck is gone.
"""


def markdown(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def document(outcomes: list[Outcome], chosen: Chosen, *, seed: int) -> str:
    """The page."""
    runs = outcomes[0].equal.runs
    return "\n".join(
        [
            LAW.format(runs=runs, seed=seed),
            EQUAL,
            markdown(HEAD_EQUAL, [equal_row(one) for one in outcomes]),
            EFFECT.format(margin=MARGIN * 100, few=CLUSTERS_FEW),
            markdown(HEAD_EFFECT, [effect_row(one) for one in outcomes]),
            SEVERAL,
            markdown(
                ("200 tasks, one sample, three candidates", "percent, or points"),
                [*family_rows(chosen)],
            ),
        ]
    )


def main(
    runs: Annotated[int, typer.Option(help="Comparisons for each design.", min=1)] = RUNS,
    seed: Annotated[int, typer.Option(help="Of all that is drawn.")] = 1,
    docs: Annotated[Path, typer.Option(help="Where the page is written, if there.")] = Path("docs"),
) -> None:
    """Simulate, print the tables, write the page; exit 1 where something is not as promised."""
    outcomes, chosen = calibrate(runs, seed=seed, processes=len(os.sched_getaffinity(0)))
    page = document(outcomes, chosen, seed=seed)
    typer.echo(page)
    if docs.is_dir():
        (docs / PAGE).write_text(page)
    faults = [fault for one in outcomes for fault in one.faults]
    for fault in faults:
        typer.echo(fault, err=True)
    if faults:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
