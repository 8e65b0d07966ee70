"""From examined pairs to a verdict. The rule, the first that holds:

- better: the corrected p is below 0.05 *and* the corrected interval lies above 0;
- no worse within the margin: one was declared, and the lower of the two one-sided tests against it
  has a corrected p below 0.05; also where the candidate is certainly worse, but by less than that;
- worse: the corrected p is below 0.05 *and* the corrected interval lies below 0;
- cannot tell: all else.

Test and interval are of different methods and must agree, so neither says more than the other.
Four states are never judged: a run that was stopped (whoever looks at parts until one suits is
wrong more often than was promised), no task that differs (nothing shows that these tasks could
tell), one cluster (nothing is known of others), and a wording without any answer (what was judged
is the endpoint, not the wording).

A failure counts as wrong. Where the verdict would be another without the askings that failed, the
sentence says so: then it is of the failures too, be they the wording's or the endpoint's. What was
answered is corrected together likewise; of a pair without a failure nothing is said.

Several declared pairs are corrected by Holm within each metric, their tests of "no worse" likewise;
the interval is at the level at which Holm tests the pair. The headline's metric is the one that
counts; the others are looked at beside it. Slices are corrected by Benjamini and Hochberg.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from faultloop.reports.accuracy.conclusion import Difference, Interval, Verdict
from faultloop.reports.accuracy.examined import Examined
from faultloop.reports.accuracy.saying import sentence, without_failures
from faultloop.reports.accuracy.statistics.benjamini_hochberg import benjamini_hochberg
from faultloop.reports.accuracy.statistics.holm import Corrected, holm
from faultloop.reports.accuracy.statistics.power import detectable_seen, tasks_needed_seen

ALPHA = 0.05


def judged(
    declared: Sequence[Examined], *, margin: float, held_out: bool = False
) -> list[Difference]:
    """The differences of declared pairs in one metric, corrected by Holm."""
    several = len(declared) > 1
    correction = f"Holm over {len(declared)} pairs" if several else "none"
    by_p = holm([one.p for one in declared])
    by_margin = holm([one.against_margin.p_no_worse for one in declared])
    return [
        _difference(
            one,
            corrected,
            correction=correction,
            margin=margin,
            p_no_worse=no_worse.p,
            held_out=held_out,
        )
        for one, corrected, no_worse in zip(declared, by_p, by_margin, strict=True)
    ]


def told_beside(one: Difference, answered: Sequence[Difference]) -> Difference:
    """A difference of a pair with failures; it says so where its verdict is another in what both
    `answered`, or where no task was answered under both and the pair stands there no more."""
    other = next(
        (two for two in answered if (two.base, two.candidate) == (one.base, one.candidate)), None
    )
    verdict = other.verdict if other else Verdict.CANNOT_TELL
    if verdict is one.verdict:
        return one
    says = f"{one.says} {without_failures(other)}"
    return msgspec.structs.replace(one, says=says, without_failures=verdict)


def explored(slices: Sequence[Examined]) -> list[Difference]:
    """The differences of slices that nobody declared, corrected by Benjamini and Hochberg; no
    claim of "no worse" is made of them."""
    correction = f"Benjamini-Hochberg over {len(slices)} slices" if len(slices) > 1 else "none"
    ps = benjamini_hochberg([one.p for one in slices])
    return [
        _difference(
            one,
            Corrected(p, 1 - ALPHA),
            correction=correction,
            margin=0.0,
            p_no_worse=1.0,
            exploratory=True,
        )
        for one, p in zip(slices, ps, strict=True)
    ]


def _difference(
    one: Examined,
    corrected: Corrected,
    *,
    correction: str,
    margin: float,
    p_no_worse: float,
    exploratory: bool = False,
    held_out: bool = False,
) -> Difference:
    paired, estimate = one.paired, one.estimate
    difference = float(paired.differences.mean())
    reach = detectable_seen(estimate, paired.tasks.size, alpha=1 - corrected.level)
    interval = estimate.interval(corrected.level)
    verdict = _verdict(one, corrected.p, interval, p_no_worse)
    said = sentence(
        one, verdict, corrected=corrected, interval=interval, margin=margin, detectable=reach
    )
    return Difference(
        base=paired.base,
        candidate=paired.candidate,
        metric=paired.metric,
        tasks=paired.tasks.size,
        clusters=one.clusters,
        difference=difference,
        interval=estimate.interval(),
        interval_method=one.method,
        p=one.p,
        p_method=one.p_method,
        p_corrected=corrected.p,
        correction=correction,
        level=corrected.level,
        interval_corrected=interval,
        gained=paired.gained,
        lost=paired.lost,
        margin=margin,
        p_no_worse=p_no_worse,
        p_equivalent=max(p_no_worse, one.against_margin.p_equivalent) if margin > 0 else 1.0,
        detectable=reach,
        tasks_needed=tasks_needed_seen(difference, reach, paired.tasks.size),
        verdict=verdict,
        says=said,
        exploratory=exploratory,
        held_out=held_out,
    )


def _verdict(one: Examined, p: float, interval: Interval, p_no_worse: float) -> Verdict:
    """By the rule at the top of the file."""
    if not one.is_judged:
        return Verdict.CANNOT_TELL
    if p < ALPHA and interval.low > 0:
        return Verdict.BETTER
    if p_no_worse < ALPHA:
        return Verdict.NO_WORSE
    if p < ALPHA and interval.high < 0:
        return Verdict.WORSE
    return Verdict.CANNOT_TELL
