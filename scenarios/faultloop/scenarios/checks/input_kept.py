"""What the user said is still there after an abnormal end.

The user's first message must stand in the requests of later starts and turns of a session that the
subject claims to keep. Text is searched, so that any way of writing a conversation will do.
"""

from __future__ import annotations

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Start

NAME = "input_kept"
CLAIM = "L15"
CLAIMS = (CLAIM,)
WHY = (
    "Where what the user asked for is lost with the turn, the next answer is about nothing, and "
    "the model repeats what it cannot know that it did."
)
CURE = "Make the user's input durable before the model is called, not when the turn has ended well."

ABNORMAL = frozenset({"killed", "aborted", "interrupted", "error", "did_not_end"})
"""Ends after which input gets lost; a turn that ended in good order proves nothing here."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether the first input is part of every later request of the session."""
    if not evidence.remembers:
        return promise.cannot_be_judged(f"this subject's resume is {evidence.capabilities.resume}")
    first = next(iter(evidence.views.starts), None)
    if first is None or first.ended is None or first.end_reason not in ABNORMAL:
        return promise.not_applicable("the first start ended in good order")
    if not _asked(evidence, first):
        return promise.not_applicable("the first start never asked the model")
    found = []
    for exchange in evidence.views.requests_after(first.ended.position):
        proof = (first.ended.position, exchange.position)
        if exchange.says(evidence.scenario.input):
            found.append(promise.held("the user's first message is still there", *proof))
        else:
            found.append(
                promise.broken(
                    f"the first start ended {first.end_reason}, and request {exchange.number} no "
                    "longer holds the user's first message",
                    *proof,
                )
            )
    return promise.total(found, untested="no request followed the abnormal end")


def _asked(evidence: Evidence, start: Start) -> bool:
    return any(exchange.start == start.number for exchange in evidence.views.exchanges)
