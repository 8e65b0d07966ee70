"""Retries have manners: they wait as asked, back off, stop at what cannot be mended, and repeat a
tool by themselves only where a repeat is harmless.

For requests: none before Retry-After has passed, none of the very same body after a 4xx other than
408, 409 and 429, and not three tries in a row without any pause. For tools: a further try of the
same call in the same start is the loop's own retry; it needs a tool that only reads, is idempotent
or honours the idempotency key that both tries bear, and an answer that did not say
`"retryable": false`. Times are virtual in sim and wall times in real; a retry that never comes has
the best manners of all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange, Invocation

NAME = "retry_manners"
CLAIM = "D8"
CLAIMS = (CLAIM, "D4")
WHY = (
    "A loop that retries at once keeps a struggling provider down and is banned for it; one that "
    "retries a payment after a 504 may pay twice (public report: composio #3654)."
)
CURE = (
    "Back off with jitter, honour Retry-After, bound the tries, never resend what was rejected, "
    "and let the tool's contract decide whether a call may be repeated (SPEC D4)."
)

TIMER_SLACK_S = 0.02
"""By this much a timer may fire early, or the two sides' clocks differ."""
PAUSE_S_MIN = 0.01
"""Less than this between two tries is no pause."""
TRIES_WITHOUT_PAUSE_MAX = 2
MENDABLE = frozenset({408, 409, 429})
"""4xx answers after which the same request may succeed."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether every retry of a request and of a tool was in order."""
    found = [*_requests(evidence), *_tools(evidence)]
    return promise.total(found, untested="nothing failed that could have been retried")


def _requests(evidence: Evidence) -> Iterator[Finding]:
    exchanges = evidence.views.exchanges
    row = 0  # tries in a row without a pause
    for exchange in exchanges:
        status = _failed_with(exchange)
        if status is None:
            row = 0
            continue
        following = next(
            (
                one
                for one in exchanges
                if one.number > exchange.number and one.start == exchange.start
            ),
            None,
        )
        if following is None:
            yield promise.held(f"after the {status} it was not tried again", exchange.over)
            continue
        waited_s = evidence.times_s[following.position] - evidence.times_s[exchange.over]
        row = row + 1 if waited_s < PAUSE_S_MIN else 0
        yield _judge_retry(exchange, following, status, waited_s, row)


def _failed_with(exchange: Exchange) -> int | None:
    if exchange.failed is not None:
        return exchange.failed.status
    return exchange.refused.status if exchange.refused is not None else None


def _judge_retry(
    exchange: Exchange, following: Exchange, status: int, waited_s: float, row: int
) -> Finding:
    proof = (exchange.position, exchange.over, following.position)
    asked_s = exchange.failed.retry_after_s if exchange.failed else None
    if asked_s is not None and waited_s < asked_s - TIMER_SLACK_S:
        return promise.broken(
            f"request {following.number} came after {waited_s:.2f} s where the provider asked for "
            f"{asked_s:g} s",
            *proof,
        )
    same = following.messages == exchange.messages
    if 400 <= status < 500 and status not in MENDABLE and same:
        return promise.broken(
            f"request {following.number} repeats what was answered {status}", *proof
        )
    if row >= TRIES_WITHOUT_PAUSE_MAX:
        return promise.broken(
            f"request {following.number} is the third try without a pause", *proof
        )
    return promise.held("retries waited as they should", *proof)


def _tools(evidence: Evidence) -> Iterator[Finding]:
    views = evidence.views
    for call in views.calls:
        tries = views.invocations_of(call)
        failed = [one for one in tries if one.answered and one.answered.outcome != "ok"]
        for one, again in pairwise(tries):
            succeeded = one.answered is not None and one.answered.outcome == "ok"
            if one.start == again.start and not succeeded:  # else it is no retry: see effects_once
                yield _judge_try(evidence, one, again)
        if failed and len(tries) == 1:
            yield promise.held(f"{call.tool} was not tried again by the loop", failed[0].position)


def _judge_try(evidence: Evidence, one: Invocation, again: Invocation) -> Finding:
    facts = evidence.facts(one.tool)
    proof = (*one.proof, *again.proof)
    if not (one.sure and again.sure):
        return promise.unknown(f"{one.tool} was tried again, by the loop or by the model", *proof)
    key = one.arrived.key
    known_by_key = facts.honours_key and key is not None and key == again.arrived.key
    if not (facts.repeatable or known_by_key):
        after = f" after it was answered {one.answered.how}" if one.answered else ""
        return promise.broken(
            f"{one.tool}, which is not idempotent, was tried again by the loop itself{after}",
            *proof,
        )
    if one.answered is not None and _says_no(one.answered.body):
        return promise.broken(f"{one.tool} was tried again though it said not retryable", *proof)
    return promise.held(f"{one.tool} was tried again, which is harmless", *proof)


def _says_no(body: str) -> bool:
    try:
        answer = json.loads(body)
    except ValueError:
        return False
    return isinstance(answer, dict) and answer.get("retryable") is False
