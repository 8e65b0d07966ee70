"""Crowded plays: did a play end by its deadline for want of a turn at the processor?

A deadline is wall time, and plays that are made side by side take it from each other. So of a play
that had company, an end by the bench's own hand (it did not end in time, or not within the grace of
a cancel) is no evidence yet. It is where the kernel says that the start hardly ever waited for a
processor, and where a start had asked its provider and then did nothing at all for `STILL_S`: it
waited for something else.
"""

from __future__ import annotations

from faultloop.fakes.history import Ended, Requested
from faultloop.scenarios.play import Done

STILL_S = 15.0
"""Half of the deadline that a start usually has."""
QUEUED_S = 5.0
"""Half of the grace of a cancel: who waited less for a processor had enough of it."""
WHY = (
    "this is its second play, made alone: beside others it did not end in time, which may have"
    " been for want of processor time"
)


def may_lack_time(done: Done) -> bool:
    """Whether an end of the play, which had company, may be due to that."""
    if done.crash or done.not_applicable:
        return False
    overdue = [
        outcome
        for outcome in done.outcomes
        if outcome.how == "did_not_end"
        and (outcome.queued_s is None or outcome.queued_s >= QUEUED_S)
    ]
    if any(outcome.grace_exceeded for outcome in overdue):
        return True
    return bool(overdue) and not _stood_still(done)


def _stood_still(done: Done) -> bool:
    """Whether its last start, having asked for a reply, was idle before it was ended."""
    history, times_s = done.evidence.history, done.evidence.times_s
    last = max((n for n, entry in enumerate(history) if isinstance(entry, Ended)), default=0)
    if last == 0 or not any(isinstance(entry, Requested) for entry in history):
        return False
    return times_s[last] - times_s[last - 1] >= STILL_S
