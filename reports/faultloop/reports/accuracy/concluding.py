"""Conclusions from observations: the one place that knows the whole way, and computes nothing.

```
observations ──> columns ──> pairs ──> examined ──> judged ──> conclusions
             (gathering) (pairing) (examined)   (judging)   (here)
```

With one candidate the headline is the declared pair in the first metric. With several, whoever wins
wins partly by luck: the winner is chosen on one half of the clusters, and the headline is what it
does on the other half. The declared pairs are reported on all tasks beside that, corrected by Holm.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from faultloop.reports.accuracy.conclusion import (
    Conclusions,
    Difference,
    Metric,
    OrderSensitivity,
    Slice,
)
from faultloop.reports.accuracy.describing import (
    confusions,
    failures,
    flips,
    mistakes,
    order_sensitivity,
)
from faultloop.reports.accuracy.examined import examined
from faultloop.reports.accuracy.gathering import CannotConclude, Columns, gather
from faultloop.reports.accuracy.judging import explored, judged, told_beside
from faultloop.reports.accuracy.noting import notes
from faultloop.reports.accuracy.pairing import Paired, pair
from faultloop.reports.accuracy.rating import rate
from faultloop.reports.accuracy.statistics.halving import first_half
from faultloop.scenarios.wordings.observation import Observation

__all__ = ["CannotConclude", "conclude", "refuse", "refuse_halves"]

METRICS: tuple[Metric, ...] = ("right", "selection", "arguments")
SLICED: frozenset[Metric] = frozenset({"right", "selection", "done"})
"""Metrics that are looked at by slices: those that are known of every task."""
NO_SLICES: Mapping[str, Mapping[str, Collection[str]]] = MappingProxyType({})
ONE_CLUSTER = (
    "Several candidates need tasks of at least two clusters: one half chooses the winner, the other"
    " reports it. Add tasks, or compare one candidate at a time."
)

Pair = tuple[str, str]
"""Base and candidate."""


class Winner(NamedTuple):
    """Who won among several, and what that is worth."""

    candidate: str
    chosen_on: int
    """Tasks of the half that chose."""
    difference: Difference
    """On the other half."""


def conclude(
    observations: Iterable[Observation],
    *,
    base: str,
    candidates: Sequence[str],
    metrics: Sequence[Metric] = METRICS,
    margin: float = 0.0,
    pairs: Sequence[Pair] | None = None,
    seed: int = 0,
    slices: Mapping[str, Mapping[str, Collection[str]]] = NO_SLICES,
    is_whole: bool = True,
) -> Conclusions:
    """What observations say of candidates beside their base.

    The first metric is the headline's. `margin` is a fraction by which a candidate may be worse; 0:
    none is declared, and "no worse" is never said. `pairs` are those that are declared and tested;
    left out, each candidate with the base. `slices` are parts of the tasks, such as
    `{"tag": {"near miss": {ids}}}`; tools make slices by themselves. The seed chooses the halves of
    the clusters and the signs that are drawn. `is_whole`: all was asked that was to be; of a part
    there are figures, and no verdicts.

    Raises CannotConclude, with a sentence for people.
    """
    declared = tuple(pairs or [(base, candidate) for candidate in candidates])
    refuse(base, candidates, metrics, margin, declared)
    columns = gather(observations, (base, *candidates), is_whole=is_whole)
    known: tuple[Metric, ...] = tuple(
        one for one in metrics if one != "arguments" or columns.gives_arguments
    )
    by_metric: dict[Metric, list[Paired]] = {
        metric: [pair(columns, *both, metric) for both in declared] for metric in known
    }
    _refuse_unpaired(by_metric[known[0]])
    differences = _differences(columns, by_metric, margin, seed)
    winner = _winner(columns, base, candidates, known[0], margin, seed)
    headline = winner.difference if winner else differences[0]
    orders = [order_sensitivity(columns, wording) for wording in columns.wordings]
    against_base = [pair(columns, base, candidate, known[0]) for candidate in candidates]
    return Conclusions(
        base=base,
        candidates=tuple(candidates),
        metrics=known,
        margin=margin,
        seed=seed,
        headline=headline,
        rates=tuple(
            found
            for metric in known
            for wording in columns.wordings
            if (found := rate(columns, wording, metric)) is not None
        ),
        differences=tuple(differences),
        slices=tuple(
            found
            for metric in known
            if metric in SLICED
            for paired in by_metric[metric]
            for found in _slices(columns, paired, slices, seed)
        ),
        orders=tuple(one for one in orders if isinstance(one, OrderSensitivity)),
        failures=tuple(failures(columns)),
        mistakes=tuple(mistakes(columns)),
        confusions=tuple(
            cell for wording in columns.wordings for cell in confusions(columns, wording)
        ),
        flips=tuple(flip for paired in against_base for flip in flips(columns, paired)),
        spent=columns.spent,
        notes=tuple(notes(columns, by_metric, winner and (winner.candidate, winner.chosen_on))),
    )


def refuse_halves(candidates: Sequence[str], clusters: int) -> None:
    """Raises CannotConclude where a winner cannot be chosen on one half of so many clusters and
    reported on the other."""
    if len(candidates) > 1 and clusters < 2:
        raise CannotConclude(ONE_CLUSTER)


def refuse(
    base: str,
    candidates: Sequence[str],
    metrics: Sequence[Metric],
    margin: float,
    pairs: Sequence[Pair] = (),
) -> None:
    """Raises CannotConclude where what is asked makes no sense, whatever observations say."""
    wordings = (base, *candidates)
    if not candidates:
        raise CannotConclude("No candidate is named: give at least two wordings.")
    if len(set(wordings)) < len(wordings):
        raise CannotConclude(f"Two wordings have one name ({', '.join(wordings)}): rename one.")
    if not metrics or metrics[0] == "arguments":
        raise CannotConclude(
            "The first metric must be known of every task: give `right` or `selection` first."
        )
    if not 0 <= margin < 1:
        raise CannotConclude(
            f"The margin {margin} is no fraction from 0 to 1: write 0.02 for 2 points."
        )
    for one in pairs:
        if one[0] == one[1] or not set(one) <= set(wordings):
            raise CannotConclude(f"The pair {one} is not of two of {', '.join(wordings)}.")


def _differences(
    columns: Columns, by_metric: Mapping[Metric, Sequence[Paired]], margin: float, seed: int
) -> list[Difference]:
    """Of the declared pairs, corrected together within each metric."""

    def found(pairs: Sequence[Paired]) -> list[Difference]:
        made = [examined(one, margin=margin, seed=seed) for one in pairs if one.tasks.size]
        return judged(made, margin=margin)

    def told(pairs: Sequence[Paired]) -> list[Difference]:
        made, answered = found(pairs), found(_answered(columns, pairs))
        return [
            told_beside(one, answered) if columns.failed_under(one.base, one.candidate) else one
            for one in made
        ]

    return [one for declared in by_metric.values() for one in told(declared)]


def _answered(columns: Columns, declared: Sequence[Paired]) -> list[Paired]:
    """The same pairs without the askings that failed; none where all have an answer."""
    if not any(columns.failed_under(one.base, one.candidate) for one in declared):
        return []
    return [pair(columns, one.base, one.candidate, one.metric, answered=True) for one in declared]


def _refuse_unpaired(declared: Sequence[Paired]) -> None:
    """Raises CannotConclude where two wordings have no task in common."""
    for one in declared:
        if not one.tasks.size:
            raise CannotConclude(
                f"The run is at fault: {one.base!r} and {one.candidate!r} were asked no task in "
                "common in the same order of its tools; ask both the same tasks."
            )


def _winner(
    columns: Columns,
    base: str,
    candidates: Sequence[str],
    metric: Metric,
    margin: float,
    seed: int,
) -> Winner | None:
    """Chosen on one half, reported on the other; None: there is nothing to choose from."""
    if len(candidates) < 2:
        return None
    chooses = first_half(columns.cluster_of, columns.clusters, seed=seed)
    paired = [pair(columns, base, candidate, metric) for candidate in candidates]
    seen = [one.only(chooses) for one in paired]
    gains = [float(one.differences.mean()) if one.tasks.size else -np.inf for one in seen]
    place = int(np.argmax(gains))
    reported = paired[place].only(~chooses)
    if not reported.tasks.size:
        raise CannotConclude(ONE_CLUSTER)

    def held_out(halves: Sequence[Paired]) -> list[Difference]:
        found = [examined(one, margin=margin, seed=seed) for one in halves if one.tasks.size]
        return judged(found, margin=margin, held_out=True)

    (difference,) = held_out([reported])
    if columns.failed_under(base, candidates[place]):
        answered = [one.only(~chooses) for one in _answered(columns, [reported])]
        difference = told_beside(difference, held_out(answered))
    return Winner(candidates[place], seen[place].tasks.size, difference)


def _slices(
    columns: Columns,
    paired: Paired,
    declared: Mapping[str, Mapping[str, Collection[str]]],
    seed: int,
) -> list[Slice]:
    """Every slice that has a task, tools first."""
    places = {task: place for place, task in enumerate(columns.tasks)}
    tools: dict[str, list[str]] = {}
    for task, expected in zip(columns.tasks, columns.expected_of, strict=True):
        tools.setdefault(expected, []).append(task)
    parts: list[tuple[str, str, Paired]] = []
    for kind, names in {"tool": tools, **declared}.items():
        for name in sorted(names):
            chosen = np.zeros(len(columns.tasks), dtype=np.bool_)
            chosen[[places[task] for task in names[name] if task in places]] = True
            part = paired.only(chosen)
            if part.tasks.size:
                parts.append((kind, name, part))
    differences = explored([examined(part, margin=0.0, seed=seed) for _, _, part in parts])
    return [
        Slice(
            kind=kind,
            name=name,
            base_rate=float(part.base_rates.mean()),
            candidate_rate=float(part.candidate_rates.mean()),
            difference=difference,
        )
        for (kind, name, part), difference in zip(parts, differences, strict=True)
    ]
