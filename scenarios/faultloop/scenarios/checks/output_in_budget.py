"""A huge output does not enter the conversation whole, and its cut is said.

The size of the output is known from the fault that made it huge. What the loop's own budget is
nobody outside knows; a bound that lets more than a quarter of a flood through is none. That
it was cut must be said in words that are not the tool's own: its answer ends with
`"truncated": false`, which announces nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from faultloop.fakes.history import FaultFired
from faultloop.scenarios import phrases
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Invocation

NAME = "output_in_budget"
CLAIM = "C7"
CLAIMS = (CLAIM,)
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
PART_MAX = 0.25
"""As much of a flood may enter. Budgets in use (8 to 64 KiB, 10 to 25 thousand tokens) stay far
below a quarter of the floods that scenarios stage (100 kB and more)."""
SHARED_CHARS_MIN = 4
"""A run of characters that the tool's answer holds as well is the tool's, from this length on."""
ENVELOPE = r'"(?:ok|truncated|continuation)": ?(?:true|false|null),?'
"""What of an answer's frame must not be taken for an announcement (subject contract v1)."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether every huge output was cut, and said to be."""
    if plain := promise.needs_pairing(evidence.paired):
        return plain
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
    told = evidence.views.told_after(one.answered.position, one.call)
    if told is None:
        return None
    entered_bytes = len(told.text.encode())
    proof = (one.answered.position, told.request.position)
    what = (
        f"{one.tool} wrote {size_bytes} bytes, and its result in the conversation has "
        f"{entered_bytes}"
    )
    if entered_bytes > size_bytes * PART_MAX:
        return promise.broken(f"{what}, more than a quarter of it", *proof)
    if not phrases.mentions(phrases.SHORTENED_WORDS, own_words(told.text, one.answered.body)):
        return promise.broken(f"{what}, and nothing says that it was cut", *proof)
    return promise.held(f"{what}, and the cut is said", *proof)


def own_words(told: str, answer: str) -> str:
    """What a result says that the tool's answer does not say; lines are compared, then parts."""
    said, known = (re.sub(ENVELOPE, "", text).replace("\\n", "\n") for text in (told, answer))
    lines = set(known.splitlines())
    return "\n".join(_without(line, known) for line in said.splitlines() if line not in lines)


def _without(line: str, known: str) -> str:
    """The line without what it begins and ends with of the known text, as often as it does."""
    while (shared := _shared(line, known, from_end=False)) >= SHARED_CHARS_MIN:
        line = line[shared:]
    while (shared := _shared(line, known, from_end=True)) >= SHARED_CHARS_MIN:
        line = line[:-shared]
    return line


def _shared(line: str, known: str, *, from_end: bool) -> int:
    """How many characters of the line's beginning, or end, stand in a row in the known text."""

    def stands(length: int) -> bool:
        return (line[-length:] if from_end else line[:length]) in known

    return bisect_left(range(1, len(line) + 1), True, key=lambda length: not stands(length))
