"""Of long arguments that could not be used the model gets an excerpt back, not all of them.

SPEC's bound is 2,000 bytes of what was received. What a loop says around it (a schema, advice) is
its own and may be long: measured is what of the received text stands in the result, all pieces
together, however it was printed. Only arguments that are much longer than the bound put it to the
test, and only an answer that quotes them.
"""

from __future__ import annotations

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.quoting import quoted_bytes
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

EXCERPT_BYTES_MAX = 2_000
"""SPEC P7."""
LONG_BYTES = 3 * EXCERPT_BYTES_MAX
"""Arguments from this size on put it to the test: whole, they are well over the bound."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether no unusable arguments came back whole."""
    if plain := promise.needs_pairing(evidence.paired):
        return plain
    found = [
        finding
        for call in evidence.views.calls
        if call.complete and not call.cut and len(call.arguments.encode()) >= LONG_BYTES
        for finding in [_judge(evidence, call)]
        if finding is not None
    ]
    return promise.total(found, untested="no long arguments were turned away")


def _judge(evidence: Evidence, call: DeliveredCall) -> Finding | None:
    told = None if evidence.views.has_run(call) else evidence.views.told_of(call)
    if told is None:
        return None
    size, sent = quoted_bytes(call.arguments, told.text), len(call.arguments.encode())
    if not size:
        return promise.cannot_be_judged("this subject quotes nothing of what it turned away")
    what = f"the answer to {sent} bytes of arguments of {call.tool} quotes {size} of them"
    proof = (call.position, told.request.position)
    good = size <= EXCERPT_BYTES_MAX
    return promise.held(what, *proof) if good else promise.broken(what, *proof)
