"""A verdict as one sentence, for people who decide and are no statisticians.

Differences are in percentage points, rates in percent; every sentence holds the figures that it
rests on, and "cannot tell" says why, and what would tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from faultloop.reports.accuracy.conclusion import Difference, Interval, Metric, Verdict
from faultloop.reports.accuracy.examined import Examined
from faultloop.reports.accuracy.statistics.holm import Corrected
from faultloop.reports.accuracy.statistics.power import (
    DISCORDANT_MIN,
    tasks_excused_seen,
    tasks_needed_seen,
)

RIGHT: Mapping[Metric, str] = MappingProxyType(
    {
        "selection": "the right tool was chosen",
        "arguments": "all arguments were right, where both chose the right tool,",
        "right": "tool and arguments were right",
        "done": "the world was as it should be at the end",
    }
)
"""What happened more or less often."""


TASKS_MAX = 100_000
"""So many nobody asks: that more are needed is all there is to say."""


def points(difference: float) -> str:
    """A signed difference, such as `+4.2` or `−1.0`; without a sign where it is 0.0."""
    said = f"{difference * 100:+.1f}"
    return "0.0" if said in ("+0.0", "-0.0") else said.replace("-", "−")


def percent(rate: float) -> str:
    """A rate, such as `81.2 %`."""
    return f"{rate * 100:.1f} %"


def size(difference: float) -> str:
    """A difference without its sign, such as `1 point` or `4.2 points`."""
    said = f"{abs(difference) * 100:.1f}".removesuffix(".0")
    return f"{said} point" if said == "1" else f"{said} points"


def small(p: float) -> str:
    """A p value with its sign, such as `p = 0.021` or `p < 0.001`."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def sentence(
    one: Examined,
    verdict: Verdict,
    *,
    corrected: Corrected,
    interval: Interval,
    margin: float,
    detectable: float,
) -> str:
    """The verdict with its figures; `interval` is the corrected one."""
    paired = one.paired
    fills = paired.gives_arguments or paired.metric == "done"
    metric = paired.metric if fills else "selection"
    figures = (
        f"{RIGHT[metric]} in {percent(float(paired.candidate_rates.mean()))} against "
        f"{percent(float(paired.base_rates.mean()))} of {paired.tasks.size:,} tasks, "
        f"a difference of {points(float(paired.differences.mean()))} points "
        f"({corrected.level * 100:.3g} % interval {points(interval.low)} to "
        f"{points(interval.high)}; {small(corrected.p)})"
    )
    candidate, base = f"‘{paired.candidate}’", f"‘{paired.base}’"
    match verdict:
        case Verdict.BETTER:
            return f"{candidate} is better than {base}: {figures}."
        case Verdict.WORSE:
            return f"{candidate} is worse than {base}: {figures}."
        case Verdict.NO_WORSE:
            certainly = corrected.p < 0.05 and interval.high < 0
            though = ", though certainly worse by less" if certainly else ""
            return (
                f"{candidate} is no worse than {base} within the margin of {size(margin)}{though}: "
                f"{figures}."
            )
        case Verdict.CANNOT_TELL:
            why = _why(one, detectable, margin)
            return f"Cannot tell {candidate} from {base}: {figures}. {why}"


def without_failures(answered: Difference | None) -> str:
    """What the verdict would be of the askings that were answered, where it is another; None: no
    task was answered under both."""
    rests = "The verdict rests on failures, which count as wrong: "
    if answered is None:
        return f"{rests}no task was answered under both."
    return (
        f"{rests}of what was answered under both "
        f"({answered.tasks:,} tasks, {points(answered.difference)} points) it is "
        f"‘{answered.verdict}’."
    )


def _why(one: Examined, detectable: float, margin: float) -> str:
    """Why it cannot be told, and what would tell."""
    paired = one.paired
    if paired.unanswered:
        return f"Under ‘{paired.unanswered[0]}’ nothing was answered at all: see the failures."
    if not paired.is_whole:
        return "The run was stopped, and a part of one tells nothing: finish it."
    if not paired.gained and not paired.lost:
        return "No task came out differently, so nothing shows that these tasks could tell."
    if one.clusters < 2:
        return "All tasks are of one cluster, which says nothing of others: add tasks unlike them."
    if one.differing < DISCORDANT_MIN:
        return f"{_differing(one)}; fewer than {DISCORDANT_MIN} can never tell: add tasks."
    return _what_would_tell(one, detectable) + _what_would_excuse(one, margin)


def _what_would_tell(one: Examined, detectable: float) -> str:
    tasks = one.paired.tasks.size
    shown = f"{tasks} tasks like these show {size(detectable)} or more in four runs of five"
    needed = tasks_needed_seen(float(one.paired.differences.mean()), detectable, tasks)
    if needed is None:
        return f"{shown}, and as much speaks for the one as for the other."
    if needed > TASKS_MAX:
        return f"{shown}; a difference as small as this one takes more than {TASKS_MAX:,}."
    if needed <= tasks:
        return f"{_differing(one)}; test and interval do not agree: add tasks."
    return f"{shown}; a difference as small as this one takes about {rounded(needed):,}."


def _what_would_excuse(one: Examined, margin: float) -> str:
    """How many tasks would tell that it is no worse, should what was seen be the truth."""
    tasks = one.paired.tasks.size
    needed = tasks_excused_seen(one.estimate, margin, tasks)
    if margin <= 0 or needed is None or not tasks < needed <= TASKS_MAX:
        return ""
    return f" About {rounded(needed):,} would tell no worse within {size(margin)}."


def _differing(one: Examined) -> str:
    if one.clusters == one.paired.tasks.size:
        return f"{one.differing} of {one.clusters} tasks came out differently"
    return f"{one.differing} of {one.clusters} clusters of tasks came out differently"


def rounded(count: int) -> int:
    """Up to two digits: more would be more than is known."""
    step = int(10 ** max(0, len(str(count)) - 2))
    return -(-count // step) * step
