"""What a comparison of wordings concluded: values that pages, exit codes and locks are made of.

Rates and differences are fractions from 0 to 1, never percent; an interval is 95 % unless it says
otherwise. Nothing here computes.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, NamedTuple

import msgspec

Metric = Literal["selection", "arguments", "right"]
"""`selection`: the right tool. `arguments`: all right, given the right tool. `right`: both,
unconditionally; the same as selection for a model that gives no arguments."""


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
    rate: float
    interval: Interval
    tasks: int
    samples: int
    """Observations that count: repeats of a deterministic model do not."""
    failures: int
    """Of these, how many have no answer; they count as wrong."""
    method: str
    """How the interval was made: `Wilson`, `clustered by tool set`, ..."""


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
    gained: int
    """Tasks where the candidate is right more often."""
    lost: int
    margin: float
    """By so much worse is still no worse (TOST)."""
    p_equivalent: float
    """Of the two one-sided tests against the margin: the larger."""
    detectable: float
    """The smallest difference that this many tasks show in four of five runs, at the discordance
    seen."""
    tasks_needed: int | None
    """How many tasks would tell a difference as large as the one seen; None where none was seen."""
    verdict: Verdict
    says: str
    """The verdict as one sentence with its figures."""
    exploratory: bool = False
    """A slice looked at without having been declared before."""
    held_out: bool = False
    """Of the half of the tasks that did not choose the winner."""
