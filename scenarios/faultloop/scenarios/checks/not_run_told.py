"""A call that never reached the world is not told to the model as if it had.

Calls of a cut reply, calls that were refused, that waited when the user cancelled or depended on
one that failed: each is owed a result, and that result must say in some way that the call was not
made. Any word of refusal, failure, doubt or interruption will do; silence and success will not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from faultloop.scenarios.argument_text import quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import DeliveredCall

NAME = "not_run_told"
CLAIM = "X2"
CLAIMS = (CLAIM, "P1", "S3")
WHY = (
    "A loop that closes what it did not run with an empty result, or with 'done', lets the model "
    "build on a file that was never written."
)
CURE = "Close a call that never ran with a result that says so: not executed, and why."

NEGATIVE = (
    r"\b(?:no|not|non|never|none|nothing|neither|without|cannot|can't|couldn't|didn't|don't"
    r"|wasn't|weren't|isn't|won't|unable|un(?:known|available|expected|supported|terminated)"
    r"|skip\w*|cancel\w*|abort\w*|interrupt\w*|stop\w*|terminat\w*|kill\w*|error\w*|exception\w*"
    r"|fail\w*|invalid\w*|incorrect\w*|wrong|bad|malformed|denied|refus\w*|reject\w*|declin\w*"
    r"|block\w*|missing|required|expected|truncat\w*|cut|incomplete|exceed\w*|limit\w*|timeout"
    r"|timed|unfinished|must|should|instead|did you mean|retry|again)\b"
)
"""Words of which a truthful result has one."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether each call that was not made was told as not made."""
    if evidence.capabilities.pairing == "text":
        return promise.cannot_be_judged("this subject writes calls and results as plain text")
    if any(not one.sure for one in evidence.views.invocations):
        return promise.cannot_be_judged("which calls reached the world cannot be told here")
    found = [finding for call in evidence.views.calls for finding in _judge(evidence, call)]
    return promise.total(
        found, untested="every call was made, or nobody was told of one that was not"
    )


def _judge(evidence: Evidence, call: DeliveredCall) -> Iterator[Finding]:
    after = call.closed if call.closed is not None else call.position
    if evidence.views.invocations_of(call):
        return
    for following in evidence.views.requests_after(after):
        told = following.told_of(call.id)
        if told is None:
            continue
        proof = (call.position, following.position)
        if re.search(NEGATIVE, told, re.IGNORECASE):
            yield promise.held("a call that was not made was told as not made", *proof)
        else:
            yield promise.broken(
                f"{call.tool} was never called, and request {following.number} says of it: "
                f"{quoted(told)!r}",
                *proof,
            )
        return
