"""A huge output does not enter the conversation whole, and its cut is said.

The size of the output is known from the fault that made it huge. What the loop's own budget is
nobody outside knows; a bound that lets all of it through is none.
"""

from __future__ import annotations

from faultloop.fakes.history import FaultFired
from faultloop.scenarios import phrases
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Invocation

NAME = "output_in_budget"
CLAIM = "C7"
WHY = (
    "One `cat` of a log file fills the context window: every later request is slower, dearer or "
    "refused, and compaction throws away what mattered. A cut that is not announced is as bad: the "
    "model takes the part for the whole."
)
CURE = (
    "Give each tool an output budget; cut or spill to a file what is over it, say that it was cut "
    "and how to read on."
)

HUGE = "huge_output"
"""The kind of the fault that this check is about."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether every huge output was cut, and said to be."""
    if evidence.capabilities.pairing == "text":
        return promise.not_applicable("this subject writes calls and results as plain text")
    fired = [
        entry
        for entry in evidence.history
        if isinstance(entry, FaultFired) and entry.kind == HUGE and entry.invocation is not None
    ]
    by_number = {one.arrived.invocation: one for one in evidence.views.invocations}
    found = [
        finding
        for entry in fired
        if (one := by_number.get(entry.invocation or 0)) is not None
        and (finding := _judge(evidence, one, _size(evidence, entry))) is not None
    ]
    return promise.total(found, untested="no huge output was followed by a request")


def _size(evidence: Evidence, fired: FaultFired) -> int:
    return int(getattr(evidence.scenario.faults[fired.fault], "bytes", 0))


def _judge(evidence: Evidence, one: Invocation, size_bytes: int) -> Finding | None:
    if one.call is None or one.answered is None:
        return None
    following = next(evidence.views.requests_after(one.answered.position), None)
    told = following.told_of(one.call.id) if following else None
    if following is None or told is None:
        return None
    entered_bytes = len(told.encode())
    proof = (one.answered.position, following.position)
    what = f"{entered_bytes} of {size_bytes} bytes of {one.tool}'s output entered the conversation"
    if entered_bytes >= size_bytes:
        return promise.broken(f"all {what}", *proof)
    if not phrases.mentions(phrases.SHORTENED_WORDS, told[-2_000:] + "\n" + told[:2_000]):
        return promise.broken(f"{what}, and nothing says that it was cut", *proof)
    return promise.held(f"{what}, and the cut is said", *proof)
