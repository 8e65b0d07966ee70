"""Observations, gathered once into columns: from here on there are arrays only.

Tasks are numbered by their ids in order, so nothing depends on the order in which observations
come. Repeats of a deterministic model are no samples: of them nothing is kept but what they took.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from faultloop.reports.accuracy.conclusion import Metric, Spent
from faultloop.reports.accuracy.statistics.arrays import Bools, Floats, Ints
from faultloop.scenarios.wordings.answer import Failure
from faultloop.scenarios.wordings.observation import Observation
from faultloop.scenarios.wordings.score import Mistake


class CannotConclude(ValueError):
    """The observations do not allow a comparison; one sentence: whose fault, and what to do."""


class Cells(NamedTuple):
    """One wording's mean in each cell: a row for each task, a column for each order."""

    means: Floats
    """Not a number where nothing was asked, or nothing put to the test."""
    counts: Ints
    """Askings in each cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """One row for each observation that counts."""

    wordings: tuple[str, ...]
    tasks: tuple[str, ...]
    """Sorted ids; columns hold their places here."""
    clusters: tuple[str, ...]
    """Sorted names."""
    cluster_of: Ints
    """Of each task, its cluster's place."""
    expected_of: tuple[str, ...]
    """Of each task."""
    choices: tuple[str, ...]
    """Sorted labels of what was chosen."""
    orders: tuple[int, ...]
    """Sorted numbers of the orders that were asked."""
    wording: Ints
    task: Ints
    order: Ints
    choice: Ints
    selected: Bools
    filled: Ints
    """1, 0, and -1 where arguments were not put to the test."""
    failed: Bools
    repeats: int
    failures: Mapping[tuple[str, Failure], int]
    mistakes: Mapping[tuple[str, Mistake], int]
    spent: tuple[Spent, ...]
    is_whole: bool = True
    """Whether all was asked that was to be."""

    def of(self, wording: str) -> Bools:
        """The rows of one wording."""
        rows: Bools = self.wording == self.wordings.index(wording)
        return rows

    def failed_under(self, *wordings: str) -> bool:
        """Whether any asking of these has no answer."""
        return any(bool(self.failed[self.of(wording)].any()) for wording in wordings)

    def cells(self, wording: str, metric: Metric, *, answered: bool = False) -> Cells:
        """One wording's means in one metric; of askings that have an answer, if that is wanted."""
        rows = self.of(wording)
        if answered:
            rows = rows & ~self.failed
        if metric == "arguments":
            rows = rows & (self.filled >= 0)
        right = {
            "selection": self.selected,
            "arguments": self.filled == 1,
            "right": self.selected & (self.filled != 0),
            "done": self.selected,
        }[metric]
        shape = len(self.tasks), len(self.orders)
        place = self.task[rows] * shape[1] + self.order[rows]
        counts = np.bincount(place, minlength=shape[0] * shape[1])
        totals = np.bincount(place, weights=right[rows], minlength=shape[0] * shape[1])
        with np.errstate(invalid="ignore"):
            means = totals / counts
        return Cells(means.reshape(shape), counts.reshape(shape))

    @property
    def gives_arguments(self) -> bool:
        """Whether any argument was put to the test."""
        return bool((self.filled >= 0).any())


@dataclass(slots=True, kw_only=True)
class _Gathering:
    """What grows while observations come."""

    wordings: dict[str, int]
    tasks: dict[str, int] = field(default_factory=dict)
    choices: dict[str, int] = field(default_factory=dict)
    cluster: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    rows: array[int] = field(default_factory=lambda: array("q"))
    repeats: int = 0
    failures: Counter[tuple[str, Failure]] = field(default_factory=Counter)
    mistakes: Counter[tuple[str, Mistake]] = field(default_factory=Counter)
    askings: Counter[str] = field(default_factory=Counter)
    tokens: dict[str, list[int]] = field(default_factory=dict)
    costs: dict[str, float] = field(default_factory=dict)

    def take(self, one: Observation) -> None:
        """One observation of a wording that is compared."""
        self._count_spent(one)
        if one.is_repeat:
            self.repeats += 1
            return
        task = self.tasks.setdefault(one.task, len(self.tasks))
        if task == len(self.cluster):
            self.cluster.append(one.cluster or one.task)
            self.expected.append(one.expected)
        elif self.cluster[task] != (one.cluster or one.task):
            raise CannotConclude(
                f"The run is at fault: task {one.task!r} is in cluster {self.cluster[task]!r} in "
                f"one observation and in {one.cluster!r} in another; give each task one cluster."
            )
        choice = self.choices.setdefault(one.chosen, len(self.choices))
        filled = -1 if one.filled is None else int(one.filled)
        wording = self.wordings[one.wording]
        failed = one.failure is not None
        self.rows.extend(
            (wording, task, one.order, one.sample, choice, one.selected, filled, failed)
        )
        if one.failure is not None:
            self.failures[one.wording, one.failure] += 1
        for mistake in {flaw.mistake for flaw in one.flaws}:
            self.mistakes[one.wording, mistake] += 1

    def _count_spent(self, one: Observation) -> None:
        used = one.usage
        tokens = self.tokens.setdefault(one.wording, [0, 0, 0])
        tokens[0] += used.input_tokens
        tokens[1] += used.output_tokens
        tokens[2] += used.cached_tokens
        self.askings[one.wording] += 1
        if one.cost_usd is not None:
            self.costs[one.wording] = self.costs.get(one.wording, 0.0) + one.cost_usd


def gather(
    observations: Iterable[Observation], wordings: Sequence[str], *, is_whole: bool = True
) -> Columns:
    """The columns of these wordings; observations of others are passed over.

    Raises CannotConclude where a wording has none, a task has two clusters, or one asking comes
    twice.
    """
    growing = _Gathering(wordings={name: place for place, name in enumerate(wordings)})
    for one in observations:
        if one.wording in growing.wordings:
            growing.take(one)
    rows = np.array(growing.rows, dtype=np.int64).reshape(-1, 8).T
    wording, task, order, sample, choice, selected, filled, failed = rows
    for place, name in enumerate(wordings):
        if not (wording == place).any():
            raise CannotConclude(
                f"There is no observation of wording {name!r}: ask it before it is compared, or "
                "correct its name."
            )
    orders, order = np.unique(order, return_inverse=True)
    _refuse_twice(growing, wording, task, order, sample)
    tasks, task_to = _sorted(growing.tasks)
    choices, choice_to = _sorted(growing.choices)
    by_id = np.argsort(task_to)
    labels = [growing.cluster[place] for place in by_id]
    clusters = tuple(sorted(set(labels)))
    numbers = {name: place for place, name in enumerate(clusters)}
    return Columns(
        wordings=tuple(wordings),
        tasks=tasks,
        clusters=clusters,
        cluster_of=np.array([numbers[label] for label in labels], dtype=np.int64),
        expected_of=tuple(growing.expected[place] for place in by_id),
        choices=choices,
        orders=tuple(int(one) for one in orders),
        wording=wording,
        task=task_to[task],
        order=order.astype(np.int64),
        choice=choice_to[choice],
        selected=selected.astype(np.bool_),
        filled=filled,
        failed=failed.astype(np.bool_),
        repeats=growing.repeats,
        failures=growing.failures,
        mistakes=growing.mistakes,
        spent=tuple(_spent(growing, name) for name in wordings),
        is_whole=is_whole,
    )


def _sorted(places: Mapping[str, int]) -> tuple[tuple[str, ...], Ints]:
    """Names in order, and for each old place the new one."""
    names = tuple(sorted(places))
    moved = np.empty(len(names), dtype=np.int64)
    for place, name in enumerate(names):
        moved[places[name]] = place
    return names, moved


def _refuse_twice(growing: _Gathering, *columns: Ints) -> None:
    """Raises CannotConclude where two rows are the same asking."""
    by_asking = np.lexsort(columns)
    table = np.stack(columns)[:, by_asking]
    same = (table[:, 1:] == table[:, :-1]).all(axis=0)
    if same.any():
        wording, task, _, sample = (int(one) for one in table[:, int(same.argmax())])
        names = list(growing.wordings), list(growing.tasks)
        raise CannotConclude(
            f"The run is at fault: sample {sample} of task {names[1][task]!r} under wording "
            f"{names[0][wording]!r} is there twice in the same order of its tools; count it once."
        )


def _spent(growing: _Gathering, wording: str) -> Spent:
    tokens = growing.tokens[wording]
    return Spent(
        wording=wording,
        askings=growing.askings[wording],
        input_tokens=tokens[0],
        output_tokens=tokens[1],
        cached_tokens=tokens[2],
        cost_usd=growing.costs.get(wording),
    )
