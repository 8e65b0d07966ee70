"""Of long arguments that could not be used the model gets an excerpt back, not all of them.

SPEC's bound is 2,000 bytes of what was received. What a loop says around it is its own, so a result
is judged by its whole size, with as much again for the words. Only arguments that are much longer
than that put it to the test.
"""

from __future__ import annotations

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import DeliveredCall

NAME = "excerpt_bounded"
CLAIM = "P7"
CLAIMS = (CLAIM,)
WHY = (
    "A file of forty kilobytes with one wrong quote comes back whole, with every try: the context "
    "fills up with what did not work."
)
CURE = "Quote the part about the mistake, at most 2,000 bytes, and say how long the whole was."

RESULT_BYTES_MAX = 4_000
"""2,000 bytes of excerpt (SPEC P7) and as much of words."""
LONG_BYTES = RESULT_BYTES_MAX + 2_000
"""Arguments from this size on put it to the test: whole, they are well over the bound."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether no unusable arguments came back whole."""
    if evidence.capabilities.pairing == "text":
        return promise.cannot_be_judged("this subject writes calls and results as plain text")
    found = [
        finding
        for call in evidence.views.calls
        if call.complete and not call.cut and len(call.arguments.encode()) >= LONG_BYTES
        for finding in [_judge(evidence, call)]
        if finding is not None
    ]
    return promise.total(found, untested="no long arguments were turned away")


def _judge(evidence: Evidence, call: DeliveredCall) -> Finding | None:
    after = call.closed if call.closed is not None else call.position
    following = next(evidence.views.requests_after(after), None)
    told = following.told_of(call.id) if following else None
    ran = any(one.ran for one in evidence.views.invocations_of(call))
    if following is None or told is None or ran:
        return None
    size, sent = len(told.encode()), len(call.arguments.encode())
    what = f"the answer to {sent} bytes of arguments of {call.tool} has {size} bytes"
    proof = (call.position, following.position)
    good = size <= RESULT_BYTES_MAX
    return promise.held(what, *proof) if good else promise.broken(what, *proof)
