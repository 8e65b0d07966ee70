"""Notes: what a reader must know beside the figures, a sentence each, and whose fault it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from faultloop.reports.accuracy.conclusion import Metric
from faultloop.reports.accuracy.gathering import Columns
from faultloop.reports.accuracy.pairing import Paired
from faultloop.reports.accuracy.saying import percent

CLUSTERS_FEW = 20
"""Below this an interval with a clustered error is known to be narrow (Cameron and Miller, J. Hum.
Resour. 50 (2015) 317)."""
NAMED_MAX = 5
"""Tasks that a note still names."""


def notes(
    columns: Columns,
    by_metric: Mapping[Metric, Sequence[Paired]],
    winner: tuple[str, int] | None,
) -> Iterator[str]:
    """All that apply. `winner`: who was chosen, on how many tasks."""
    if winner:
        name, tasks = winner
        yield (
            f"‘{name}’ did best on the {tasks} tasks of one half of the clusters; the headline is "
            "what it does on the other half."
        )
    yield from _unequal(columns, next(iter(by_metric.values())))
    yield from _few_clusters(columns)
    yield from _arguments(columns, by_metric)
    if columns.repeats:
        yield (
            f"{columns.repeats:,} askings repeat a question to a deterministic model and do not "
            "count as samples."
        )
    yield from _failures(columns)


def _unequal(columns: Columns, declared: Sequence[Paired]) -> Iterator[str]:
    """Tasks that a wording was not asked."""
    for wording in columns.wordings:
        asked = np.zeros(len(columns.tasks), dtype=np.bool_)
        asked[columns.task[columns.of(wording)]] = True
        missing = [columns.tasks[int(place)] for place in np.flatnonzero(~asked)]
        if missing:
            more = ", ..." if len(missing) > NAMED_MAX else ""
            yield (
                f"The run did not ask ‘{wording}’ {len(missing)} of {len(columns.tasks)} tasks "
                f"({', '.join(missing[:NAMED_MAX])}{more}); only tasks that both wordings of a "
                "pair were asked are compared."
            )
    for one in declared:
        if one.unpaired_orders:
            yield (
                f"Orders of a task's tools that the run asked only one of ‘{one.base}’ and "
                f"‘{one.candidate}’ ({one.unpaired_orders} in all) are not compared."
            )


def _few_clusters(columns: Columns) -> Iterator[str]:
    """That the interval is somewhat too narrow there; the test keeps its level."""
    count = len(columns.clusters)
    if 1 < count < CLUSTERS_FEW < len(columns.tasks):
        yield (
            f'The tasks are of {count} clusters only: take the intervals, and "no worse", with '
            f"caution; in simulations of 12 unequal clusters a 95 % interval holds the truth in "
            "about 92 %. The test of better and worse keeps its 5 %."
        )


def _arguments(columns: Columns, by_metric: Mapping[Metric, Sequence[Paired]]) -> Iterator[str]:
    """Of how many tasks the arguments are compared."""
    if "arguments" not in by_metric:
        if "right" in by_metric and not columns.selected.any():
            yield "No asking led to the right tool, so no arguments were put to the test."
        elif "right" in by_metric:
            yield "No arguments were put to the test, so right means: the right tool was chosen."
        return
    everything = next(iter(by_metric.values()))
    for whole, part in zip(everything, by_metric["arguments"], strict=True):
        both = f"‘{part.candidate}’ and ‘{part.base}’"
        where = "both led to the right tool and arguments were expected"
        if not part.tasks.size:
            yield f"Arguments of {both} are not compared: there is no task where {where}."
            continue
        yield (
            f"Arguments of {both} are compared in {part.tasks.size} of {whole.tasks.size} tasks,"
            f" those where {where}; that says nothing of the others."
        )


def _failures(columns: Columns) -> Iterator[str]:
    """How many askings have no answer, wording by wording."""
    if not columns.failed.any():
        return
    said = []
    for wording in columns.wordings:
        rows = columns.of(wording)
        failed = int(columns.failed[rows].sum())
        said.append(
            f"{failed} of {int(rows.sum()):,} ({percent(failed / int(rows.sum()))}) under "
            f"‘{wording}’"
        )
    yield f"Askings without an answer count as wrong: {', '.join(said)}."
