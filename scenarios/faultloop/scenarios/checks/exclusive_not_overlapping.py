"""A call that is not declared safe to run beside others runs alone, and in its place.

Seen from the world: from its arrival to its answer no other invocation of the same start is under
way. What the subject could know is the manifest's annotations; a tool that only reads counts as
safe here even where nobody declared it, since frameworks know that hint and not ours. That nothing
overlapped proves something only of a call that the world held for a while, so that what else the
loop would have started beside it had its chance to arrive; quick calls seldom meet, barrier or not.
Its place is where the model put it: what stands behind it starts when it is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange, Invocation

NAME = "exclusive_not_overlapping"
CLAIM = "S1"
CLAIMS = (CLAIM, "C2", "C5")
WHY = (
    "`git commit` and `npm test` side by side, or two edits of one file, give results that depend "
    "on timing and that nobody can repeat. Many loops run a whole batch at once whatever its tools "
    "are."
)
CURE = (
    "Treat every call that is not exactly declared concurrency-safe for its arguments as a "
    "barrier, and classify each again right before it starts."
)

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether no exclusive call overlapped another."""
    if evidence.one_call_a_reply:
        return promise.cannot_be_judged("this subject lets the model make one call at a time")
    found: list[Finding] = []
    for exchange in evidence.views.exchanges:
        found += _judge_batch(evidence, exchange)
    return promise.total(
        found,
        untested="no batch had an exclusive call beside another one, or none that the world held "
        "long enough for the other to join it",
    )


def _judge_batch(evidence: Evidence, exchange: Exchange) -> Iterator[Finding]:
    batch = [one for one in evidence.views.invocations_in(exchange) if one.ran]
    if all(_safe(evidence, one) for one in batch):
        return
    for one, other in combinations(batch, 2):
        if one.call == other.call or (_safe(evidence, one) and _safe(evidence, other)):
            continue
        if _overtook(one, other):
            yield promise.broken(
                f"{one.tool} ran before {other.tool}, behind which the model put it",
                one.position,
                other.position,
            )
        elif one.start != other.start or (one.over is not None and one.over < other.position):
            if one.held is not None and one.start == other.start:
                yield promise.held(
                    "an exclusive call and its neighbour ran one after the other",
                    one.position,
                    one.held.position,
                    other.position,
                )
        else:
            alone = one if not _safe(evidence, one) else other
            beside = other if alone is one else one
            yield promise.broken(
                f"{beside.tool} was under way together with {alone.tool}, which is not declared "
                "safe",
                one.position,
                other.position,
                *(end for end in (one.over,) if end is not None),
            )


def _overtook(one: Invocation, other: Invocation) -> bool:
    """Whether the first of the two to arrive stands behind the other in their batch."""
    sure = one.sure and other.sure and one.start == other.start
    return (
        sure
        and one.call is not None
        and other.call is not None
        and (one.call.index > other.call.index)
    )


def _safe(evidence: Evidence, one: Invocation) -> bool:
    facts = evidence.facts(one.tool)
    return facts.concurrency_safe or facts.read_only
