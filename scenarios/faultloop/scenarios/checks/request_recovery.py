"""A failed request is recovered by asking again, never by running tools again.

Judged wherever a request failed (HTTP error, reset, cut) after a tool had run in the same start:
no call of the script that had reached the world before the failure may reach it again after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange, Invocation

NAME = "request_recovery"
CLAIM = "D8"
CLAIMS = (CLAIM,)
WHY = (
    "A 500 from the provider says nothing about the tools. Where the run is retried instead of the "
    "request, every effect before it happens again. Public reports: agno #10366, crewAI #5802."
)
CURE = (
    "Retry inside the step: the results that were committed stay, only the request is made again."
)

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether no tool ran again because a request failed."""
    found = [
        finding
        for exchange in evidence.views.exchanges
        if exchange.broke_off
        for finding in _after_failure(evidence, exchange)
    ]
    return promise.total(found, untested="no request failed after a tool had run")


def _after_failure(evidence: Evidence, failure: Exchange) -> Iterator[Finding]:
    mine = [one for one in evidence.views.invocations if one.start == failure.start and one.call]
    before = [one for one in mine if one.position < failure.position]
    again = [
        (first, one)
        for one in mine
        if one.position > failure.over
        for first in before
        if _same_call(first, one)
    ]
    for first, one in again:
        doubtful = "ambiguous" in (first.match, one.match)
        yield (promise.unknown if doubtful else promise.broken)(
            f"{one.tool} ran again after request {failure.number} had failed",
            first.position,
            failure.position,
            one.position,
        )
    if before and not again:
        yield promise.held(
            "no tool ran again because of a failed request", before[-1].position, failure.position
        )


def _same_call(first: Invocation, one: Invocation) -> bool:
    if first.call is None or one.call is None:
        return False
    return first.call.id == one.call.id or (
        first.call.step > 0 and first.call.place == one.call.place
    )
