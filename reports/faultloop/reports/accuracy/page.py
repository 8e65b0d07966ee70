"""accuracy.html: the comparison as a page for whoever decides, from the verdict down to the proof.

Figures, tables and plots are in the page as it is; only the flips are drawn by its script, from the
data that `page_data` puts beside them, so that thousands open at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from faultloop.reports.accuracy.conclusion import Conclusions, Difference, Rate
from faultloop.reports.accuracy.errors import PARAMETERS_MAX, mistake_rows, parameter_rows
from faultloop.reports.accuracy.escaping import visible
from faultloop.reports.accuracy.gathering import gather
from faultloop.reports.accuracy.marks import MARKS, SHORT, Mark, lead, shown_metrics, title
from faultloop.reports.accuracy.matrices import matrices, swaps
from faultloop.reports.accuracy.page_data import page_data
from faultloop.reports.accuracy.pairing import SAME, pair
from faultloop.reports.accuracy.plots import Forest, Named, Steps, forest, steps
from faultloop.reports.accuracy.results import Results
from faultloop.reports.accuracy.saying import percent
from faultloop.reports.render import html_of

STYLES = ("page.css", "accuracy.css")
SCRIPTS = ("accuracy.js",)
SLICE_TASKS_MIN = 5
"""Slices of fewer tasks are folded away: their intervals reach from end to end."""
SLICES_MAX = 60
"""Slices of one kind that are shown: of more, those that lost most and those that gained most."""
SWAPS_MAX = 12
"""Confusions that are told one by one."""


class RateCell(NamedTuple):
    """How often a wording was right, as the table shows it."""

    rate: str
    interval: str
    at: str
    low: str
    width: str
    method: str


class Against(NamedTuple):
    """A candidate beside its base, in the headline's metric."""

    mark: Mark
    one: Difference


class WordingRow(NamedTuple):
    """One wording in the table."""

    name: str
    fingerprint: str
    is_base: bool
    rates: tuple[RateCell | None, ...]
    against: Against | None
    failures: int
    samples: int


class SliceGroup(NamedTuple):
    """The slices of one kind for one candidate."""

    candidate: str
    kind: str
    plot: Forest | None
    small: Forest | None
    is_open: bool
    correction: str
    told: int
    """How many may be told from the base."""
    left_out: int
    """Between those that lost most and those that gained most."""


class TaskSteps(NamedTuple):
    """The tasks' differences for one candidate."""

    candidate: str
    plot: Steps


def html(results: Results) -> str:
    """The page."""
    made = results.conclusions
    wordings = (made.base, *made.candidates)
    found = swaps(made.confusions, wordings)
    return html_of(
        "accuracy.html",
        styles=STYLES,
        scripts=SCRIPTS,
        title=visible(title(made.headline)),
        mark=MARKS[made.headline.verdict],
        headline=made.headline,
        lead=visible(lead(made.headline)),
        facts=_facts(results),
        about=results.about_model,
        made=made,
        metrics=list(shown_metrics(made).values()),
        table=_table(results),
        differences=_differences(made),
        task_steps=_steps(results),
        slices=_slices(made),
        slice_tasks_min=SLICE_TASKS_MIN,
        wordings=wordings,
        matrices=matrices(made.confusions, wordings),
        swaps=found[:SWAPS_MAX],
        swaps_more=max(0, len(found) - SWAPS_MAX),
        mistakes=mistake_rows(made, wordings),
        parameters=parameter_rows(results.observations, wordings),
        parameters_max=PARAMETERS_MAX,
        gives_arguments="arguments" in made.metrics,
        notes=[visible(one) for one in (*results.remarks, *made.notes)],
        command=visible(results.command),
        marks=tuple(MARKS.values()),
        percent=percent,
        visible=visible,
        data_json=page_data(results),
    )


def _facts(results: Results) -> dict[str, str]:
    made = results.conclusions
    headline = made.headline
    everything = made.differences[0].tasks
    tasks = f"{headline.tasks} held out of {everything}" if headline.held_out else f"{everything}"
    margin = f"{made.margin * 100:g} points" if made.margin else "none declared"
    return {
        "model": visible(results.model),
        "tasks": f"{visible(results.tasks_name)} ({tasks})",
        "asked": visible(results.design),
        "margin": margin,
    }


def _table(results: Results) -> list[WordingRow]:
    made = results.conclusions
    rates = {(one.wording, one.metric): one for one in made.rates}
    against = {
        one.candidate: Against(MARKS[one.verdict], one)
        for one in made.differences
        if one.metric == made.metrics[0] and one.base == made.base
    }
    return [
        WordingRow(
            name=visible(one.name),
            fingerprint=one.fingerprint,
            is_base=one.name == made.base,
            rates=tuple(_rate(rates.get((one.name, metric))) for metric in shown_metrics(made)),
            against=against.get(one.name),
            failures=first.failures if (first := rates.get((one.name, made.metrics[0]))) else 0,
            samples=first.samples if first else 0,
        )
        for one in results.wordings
    ]


def _rate(one: Rate | None) -> RateCell | None:
    if one is None:
        return None
    low, high = one.interval
    return RateCell(
        rate=percent(one.rate),
        interval=f"{low * 100:.1f} to {high * 100:.1f}",
        at=f"{one.rate * 100:.2f}",
        low=f"{low * 100:.2f}",
        width=f"{(high - low) * 100:.2f}",
        method=f"{one.method}, {one.tasks} tasks, {one.samples} askings",
    )


def _differences(made: Conclusions) -> Forest:
    """The headline, and every declared pair in every metric."""
    one = made.headline
    rows = [Named("the winner", f"held out, {one.tasks} tasks", one)] if one.held_out else []
    several = len({(one.base, one.candidate) for one in made.differences}) > 1
    metrics = shown_metrics(made)
    for one in made.differences:
        if one.metric not in metrics:
            continue
        beside = "" if one.base == made.base else f" less {one.base}"
        label = f"{one.candidate}{beside}" if several else metrics[one.metric]
        metric = f"{SHORT[one.metric]}, " if several else ""
        rows.append(Named(visible(label), f"{metric}{one.tasks} tasks", one))
    return forest(rows, margin=made.margin)


def _steps(results: Results) -> list[TaskSteps]:
    made = results.conclusions
    columns = gather(results.observations, (made.base, *made.candidates))
    return [
        TaskSteps(
            visible(name),
            steps(pair(columns, made.base, name, made.metrics[0]).differences, same=SAME),
        )
        for name in made.candidates
    ]


def _slices(made: Conclusions) -> list[SliceGroup]:
    groups: dict[tuple[str, str], list[Named]] = {}
    for one in made.slices:
        difference = one.difference
        if difference.metric == made.metrics[0] and difference.base == made.base:
            rates = f"{one.base_rate * 100:.0f} → {one.candidate_rate * 100:.0f} %"
            note = f"{rates} of {difference.tasks}"
            row = Named(visible(one.name), note, difference)
            groups.setdefault((difference.candidate, one.kind), []).append(row)
    return [
        _group(candidate, kind, rows, is_open=candidate == made.headline.candidate)
        for (candidate, kind), rows in sorted(
            groups.items(), key=lambda one: one[0][0] != made.headline.candidate
        )
    ]


def _group(candidate: str, kind: str, rows: Sequence[Named], *, is_open: bool) -> SliceGroup:
    ordered = sorted(rows, key=lambda row: (row.one.difference, row.label))
    large = [row for row in ordered if row.one.tasks >= SLICE_TASKS_MIN]
    small = [row for row in ordered if row.one.tasks < SLICE_TASKS_MIN]
    ends = [_ends(large), _ends(small)]
    return SliceGroup(
        candidate=visible(candidate),
        kind=visible(kind),
        plot=forest(ends[0]) if large else None,
        small=forest(ends[1]) if small else None,
        is_open=is_open,
        correction=ordered[0].one.correction,
        told=sum(MARKS[row.one.verdict].look != "unknown" for row in ordered),
        left_out=len(rows) - len(ends[0]) - len(ends[1]),
    )


def _ends(ordered: list[Named]) -> list[Named]:
    """The first and the last of many."""
    half = SLICES_MAX // 2
    return ordered if len(ordered) <= SLICES_MAX else ordered[:half] + ordered[-half:]
