"""What a comparison of wordings concluded: values that pages, exit codes and locks are made of.

Rates and differences are fractions from 0 to 1, never percent; an interval is 95 % unless it says
otherwise. Nothing here computes.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, NamedTuple

import msgspec

from faultloop.scenarios.wordings.answer import Failure
from faultloop.scenarios.wordings.score import Mistake

Metric = Literal["selection", "arguments", "right", "done"]
"""`selection`: the right tool. `arguments`: all right, given the right tool. `right`: both,
unconditionally; the same as selection for a model that gives no arguments. `done`: of whole runs,
that the world was as it should be at the end."""


class Verdict(StrEnum):
    """What may be said of a candidate beside its base."""

    BETTER = "better"
    WORSE = "worse"
    NO_WORSE = "no worse within the margin"
    CANNOT_TELL = "cannot tell"


class Interval(NamedTuple):
    """A 95 % interval."""

    low: float
    high: float


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """How often one wording was right."""

    wording: str
    metric: Metric
    rate: float
    interval: Interval
    tasks: int
    samples: int
    """Observations that count: repeats of a deterministic model do not."""
    failures: int
    """Of these, how many have no answer; they count as wrong."""
    method: str
    """How the interval was made: `Wilson`, `Wilson, clustered by task`, ..."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Candidate less base, paired by task."""

    base: str
    candidate: str
    metric: Metric
    tasks: int
    clusters: int
    difference: float
    interval: Interval
    interval_method: str
    p: float
    """Two-sided, before any correction."""
    p_method: str
    """`exact McNemar`, `sign-flip permutation, 100,000 draws`, ..."""
    p_corrected: float
    correction: str
    """`none`, `Holm over 3 pairs`, `Benjamini-Hochberg over 25 slices`."""
    level: float = 0.95
    """Of `interval_corrected`: above 0.95 where several pairs were declared."""
    interval_corrected: Interval
    """At the level at which this pair is tested: what the verdict rests on, beside `p_corrected`.
    The same as `interval` where nothing is corrected."""
    gained: int
    """Tasks where the candidate is right more often."""
    lost: int
    margin: float
    """By so much worse is still no worse (TOST). 0: none was declared."""
    p_no_worse: float
    """One-sided, that the candidate is worse by the margin or more; corrected as `p` is. 1 without
    a margin."""
    p_equivalent: float
    """Of the two one-sided tests against the margin: the larger. 1 without a margin."""
    detectable: float
    """The smallest difference that this many tasks show in four of five runs, at the discordance
    seen."""
    tasks_needed: int | None
    """How many tasks in all would tell a difference as large as the one seen, in four of five runs;
    None where none was seen."""
    verdict: Verdict
    says: str
    """The verdict as one sentence with its figures."""
    without_failures: Verdict | None = None
    """The verdict of what was answered under both, where it is another one."""
    exploratory: bool = False
    """A slice looked at without having been declared before."""
    held_out: bool = False
    """Of the half of the tasks that did not choose the winner."""


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the tasks by itself. Looked at without having been declared: exploratory."""

    kind: str
    """`tool`: by what was expected, a label of the confusion matrix; else as the caller calls it,
    such as `tag`."""
    name: str
    base_rate: float
    """Over the tasks that both wordings were asked."""
    candidate_rate: float
    difference: Difference


class OrderSensitivity(msgspec.Struct, frozen=True, kw_only=True):
    """Whether it matters to one wording where in the list a tool stands."""

    wording: str
    orders: int
    """How many orders were asked."""
    tasks: int
    """Tasks that were asked in more than one order; the figures below are of these."""
    flip_rate: float
    """How often two askings of a task in different orders chose differently, whether right or
    wrong; the mean over tasks."""
    interval: Interval
    same_order_rate: float | None
    """How often two askings in the same order chose differently: what is chance, not order. None:
    asked once in each order."""
    rates: tuple[float, ...]
    """How often the choice was right in each order, by the order's number."""


class FailureCount(msgspec.Struct, frozen=True, kw_only=True):
    """How often one wording got no answer for one reason; all of these count as wrong."""

    wording: str
    failure: Failure
    count: int


class MistakeCount(msgspec.Struct, frozen=True, kw_only=True):
    """In how many askings of one wording a mistake was made."""

    wording: str
    mistake: Mistake
    count: int


class Confusion(msgspec.Struct, frozen=True, kw_only=True):
    """One cell of a wording's confusion matrix; cells that are empty are left out."""

    wording: str
    expected: str
    chosen: str
    count: int


class Flip(msgspec.Struct, frozen=True, kw_only=True):
    """One task that came out differently under a candidate, in the headline's metric."""

    candidate: str
    task: str
    cluster: str
    expected: str
    base_rate: float
    """How often the base was right in this task, from 0 to 1."""
    candidate_rate: float
    base_chosen: str
    """What was chosen most often; the first by name where several were."""
    candidate_chosen: str

    @property
    def gained(self) -> bool:
        """Whether the candidate is right more often here."""
        return self.candidate_rate > self.base_rate


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """What one wording took, repeats included."""

    wording: str
    askings: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_usd: float | None
    """None where nobody told what a token costs."""


class Conclusions(msgspec.Struct, frozen=True, kw_only=True):
    """All that a comparison concluded, in the order of its wordings and metrics."""

    base: str
    candidates: tuple[str, ...]
    metrics: tuple[Metric, ...]
    """The first is the headline's; `arguments` is left out for models that give none."""
    margin: float
    seed: int
    headline: Difference
    """Of the declared pair; with several candidates, of the one that won on one half of the
    clusters, on the other half (`held_out`)."""
    rates: tuple[Rate, ...]
    differences: tuple[Difference, ...]
    """Declared pairs, metric by metric, on all tasks; corrected within each metric."""
    slices: tuple[Slice, ...] = ()
    orders: tuple[OrderSensitivity, ...] = ()
    """Empty where every task was asked in one order."""
    failures: tuple[FailureCount, ...] = ()
    mistakes: tuple[MistakeCount, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    flips: tuple[Flip, ...] = ()
    """By candidate; the largest differences first, losses before gains."""
    spent: tuple[Spent, ...] = ()
    notes: tuple[str, ...] = ()
    """What a reader must know beside the figures, a sentence each: tasks that only one wording was
    asked, failures, repeats that do not count, how the winner was chosen."""

    @property
    def verdict(self) -> Verdict:
        """The headline's."""
        return self.headline.verdict
