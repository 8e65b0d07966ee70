"""How verdicts look and sound: a glyph, a colour and words, so that each is told without colour.

Green is for what was shown to be better alone. "No worse" was shown too, but is no gain: blue. What
cannot be told is hatched, as everywhere in these reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from faultloop.reports.accuracy.conclusion import Conclusions, Difference, Metric, Verdict
from faultloop.reports.accuracy.saying import RIGHT, percent, points, size


class Mark(NamedTuple):
    """What stands for a verdict."""

    glyph: str
    look: str
    """The class of style."""
    words: str


MARKS: Mapping[Verdict, Mark] = MappingProxyType(
    {
        Verdict.BETTER: Mark("▲", "better", "better"),
        Verdict.WORSE: Mark("▼", "worse", "worse"),
        Verdict.NO_WORSE: Mark("≈", "no-worse", "no worse"),
        Verdict.CANNOT_TELL: Mark("?", "unknown", "cannot tell"),
    }
)

METRICS: Mapping[Metric, str] = MappingProxyType(
    {
        "right": "right: tool and arguments",
        "selection": "right tool",
        "arguments": "arguments, given the right tool",
        "done": "done at the end",
    }
)
"""Metrics as a table's head calls them."""

SHORT: Mapping[Metric, str] = MappingProxyType(
    {
        "right": "tool and arguments",
        "selection": "right tool",
        "arguments": "arguments alone",
        "done": "done",
    }
)
"""Metrics where there is little room."""


def shown_metrics(made: Conclusions) -> dict[Metric, str]:
    """The metrics that tell something, with what they are called: without arguments, `right` is the
    choice alone, and the same figures twice would tell nothing."""
    if "arguments" in made.metrics or "right" not in made.metrics:
        return {one: METRICS[one] for one in made.metrics}
    return {"right": METRICS["selection"]}


def title(one: Difference) -> str:
    """The verdict in a few words."""
    base, candidate = f"‘{one.base}’", f"‘{one.candidate}’"
    match one.verdict:
        case Verdict.BETTER:
            return f"{candidate} is better than {base}, by {size(one.difference)}"
        case Verdict.WORSE:
            return f"{candidate} is worse than {base}, by {size(one.difference)}"
        case Verdict.NO_WORSE:
            return f"{candidate} is no worse than {base} within the margin of {size(one.margin)}"
        case Verdict.CANNOT_TELL:
            return f"Cannot tell {candidate} from {base}"


def lead(one: Difference) -> str:
    """What a title leaves to say: the sentence from its figures on. What qualifies "no worse"
    stands before them, so that sentence stays whole."""
    places = [place for said in RIGHT.values() if (place := one.says.find(said)) > 0]
    if one.verdict is Verdict.NO_WORSE or not places:
        return one.says
    figures = one.says[min(places) :]
    return figures[0].upper() + figures[1:]


def signed(one: Difference) -> str:
    """A difference with its interval, in points: `+4.2 (+1.0 to +7.4)`."""
    low, high = one.interval_corrected
    return f"{points(one.difference)} ({points(low)} to {points(high)})"


def spread(rate: float, low: float, high: float) -> str:
    """A rate with its interval: `81.2 % (76.0 to 85.4)`."""
    return f"{percent(rate)} ({low * 100:.1f} to {high * 100:.1f})"
