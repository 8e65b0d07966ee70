"""A call that can be run is run although another one of its batch has failed.

Judged in batches in which one call failed, or could not be run as it was written, beside a good
one: a tool that was offered, arguments that fit, a reply that was whole. The good one is excused by
a cancel, by the end of its process or of its turn's limits, by a dependency that the world declares
and by a call just like it that has run.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.scenarios.argument_text import meanings, parse
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import DeliveredCall, Exchange

NAME = "failure_stays_own"
CLAIM = "S3"
CLAIMS = (CLAIM, "P8")
WHY = (
    "One missing file in a batch of five reads, and a loop that gives the batch up has the model "
    "ask for all five again; of calls with effects nobody knows which were made."
)
CURE = (
    "Let each call end by itself; stop a sibling only where its contract declares that it depends "
    "on the one that failed."
)

LIMITS = ("timeout", "max_steps", "token_budget", "cost_budget")
"""Ends by which a call that was not begun is excused."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether no good call went down with a bad one."""
    if evidence.views.untraced:
        return promise.cannot_be_judged("which calls reached the world cannot be told here")
    found = [
        finding
        for exchange in evidence.views.exchanges
        for finding in _judge_batch(evidence, exchange)
    ]
    return promise.total(found, untested="no call failed beside a good one in its batch")


def _judge_batch(evidence: Evidence, exchange: Exchange) -> Iterator[Finding]:
    start = evidence.views.start(exchange.start)
    excused = start is None or start.killed or start.overdue or bool(start.acts_of("cancel"))
    if excused or len(exchange.calls) < 2 or any(call.cut for call in exchange.calls):
        return
    bad = [call for call in exchange.calls if _failed(evidence, call)]
    for call in exchange.calls if bad else ():
        if call in bad or not _good(evidence, call):
            continue
        ran = evidence.views.has_run(call)
        proof = (exchange.position, bad[0].position, call.position)
        if ran:
            yield promise.held("good calls were run beside one that failed", *proof)
        elif start and start.end_reason not in LIMITS and not _done_already(evidence, call):
            yield promise.broken(
                f"{call.tool} could be run and was not, in a batch in which {bad[0].tool} failed",
                *proof,
            )


def _failed(evidence: Evidence, call: DeliveredCall) -> bool:
    tries = evidence.views.invocations_of(call)
    answered = [one.answered for one in tries if one.answered is not None]
    if answered:
        return answered[-1].outcome == "failed"
    return not tries and not _good(evidence, call)


def _good(evidence: Evidence, call: DeliveredCall) -> bool:
    """Whether it can be run as it is written, whatever became of the others."""
    facts = evidence.tools.get(call.tool)
    if facts is None or not call.offered or not call.complete:
        return False
    args = parse(call.arguments)
    return isinstance(args, dict) and not facts.complaints(args) and not facts.depends_on


def _done_already(evidence: Evidence, call: DeliveredCall) -> bool:
    """Whether an equal call has run, so that a guard against repeats may have refused this one."""
    return any(
        one.tool == call.tool and meanings(one.arrived.arguments) & meanings(call.arguments)
        for one in evidence.views.invocations
    )
