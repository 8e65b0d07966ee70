"""A call that never reached the world is not told to the model as if it had.

Calls of a cut reply, calls that were refused, that waited when the user cancelled or depended on
one that failed: each is owed a result, and that result must say in some way that the call was not
made. Any word of refusal, failure, doubt or interruption will do; silence and success will not.
Words that are neither leave it open. A repeat that was not made may point to the call that was.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.scenarios.argument_text import quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.not_run import NotRun, not_run_of, why_unjudged
from faultloop.scenarios.speaking import Speaking
from faultloop.scenarios.verdict import Finding, Promise

NAME = "not_run_told"
CLAIM = "X2"
CLAIMS = (CLAIM, "P1", "S3")
WHY = (
    "A loop that closes what it did not run with an empty result, or with 'done', lets the model "
    "build on a file that was never written."
)
CURE = "Close a call that never ran with a result that says so: not executed, and why."

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether each call that was not made was told as not made."""
    if why := why_unjudged(evidence):
        return promise.cannot_be_judged(why)
    found = [finding for one in not_run_of(evidence) for finding in _judge(one)]
    return promise.total(
        found, untested="every call was made, or nobody was told of one that was not"
    )


def _judge(one: NotRun) -> Iterator[Finding]:
    call, request = one.call, one.told.request
    proof = (call.position, request.position)
    what = (
        f"{call.tool} was never called, and request {request.number} says of it: "
        f"{quoted(one.told.text)!r}"
    )
    if one.speaking is Speaking.NOT_DONE:
        yield promise.held("a call that was not made was told as not made", *proof)
    elif one.speaking is Speaking.EMPTY:
        yield promise.broken(what, *proof)
    elif not one.points_back:
        yield (promise.broken if one.speaking is Speaking.DONE else promise.unknown)(what, *proof)
