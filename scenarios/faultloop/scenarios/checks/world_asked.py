"""Before the model is told that an outcome is unknown, the world is asked where it can be asked.

The world declares with which reading tool one can see whether another tool took effect
(`faultloop/verifyWith`). Loops of other makers cannot know that annotation, so only those are
judged that show their journal, as the reference does.
"""

from __future__ import annotations

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Invocation
from faultloop.scenarios.views.uncertain import Uncertain, uncertain_in

NAME = "world_asked"
CLAIM = "D2"
CLAIMS = (CLAIM,)
WHY = (
    "'The outcome is unknown' costs the model a request to find out what the loop could have asked "
    "for at once, and some models do not ask but do it again."
)
CURE = "Name a query in the tool's contract and make it before the result is written (SPEC D2)."

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether each uncertain effect that can be looked up was looked up."""
    if not evidence.capabilities.journal:
        return promise.cannot_be_judged("this subject cannot know how to ask")
    found = [
        finding
        for one in uncertain_in(evidence.views, lambda tool: not evidence.facts(tool).read_only)
        for finding in [_judge(evidence, one)]
        if finding is not None
    ]
    return promise.total(found, untested="no uncertain effect could be looked up")


def _judge(evidence: Evidence, uncertain: Uncertain) -> Finding | None:
    one = uncertain.invocation
    query = evidence.facts(one.tool).verify_with
    following = evidence.views.request_after(uncertain.since)
    start = evidence.views.start(one.start)
    cancelled = start is not None and bool(start.acts_of("cancel"))
    if not query or following is None or cancelled or _known_after_all(evidence, one):
        return None
    asked = next(
        (
            other
            for other in evidence.views.invocations
            if other.tool == query and uncertain.since < other.position < following.position
        ),
        None,
    )
    proof = (*one.proof, uncertain.since, following.position)
    if asked is None:
        return promise.broken(
            f"{one.tool} {uncertain.why}, and {query} was not asked before request "
            f"{following.number}",
            *proof,
        )
    return promise.held(f"{query} was asked what became of {one.tool}", asked.position, *proof)


def _known_after_all(evidence: Evidence, one: Invocation) -> bool:
    """Whether another try of the same call, which the receiver recognises, was answered."""
    tries = evidence.views.invocations_of(one.call) if one.call else ()
    return any(
        again.position > one.position and again.answered and again.answered.outcome != "unknown"
        for again in tries
    )
