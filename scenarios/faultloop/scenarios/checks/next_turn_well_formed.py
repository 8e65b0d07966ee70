"""After an abnormal end the session can go on: the next requests are accepted and complete.

Judged are the requests of later turns and of later starts. They must be free of pairing flaws, not
be rejected by the strict provider, and reach the model at all: a session that answers the user's
next message with an error of its own is as unusable as one that gets a 400.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.scenarios.argument_text import quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange, Start

NAME = "next_turn_well_formed"
CLAIM = "D6"
CLAIMS = (CLAIM, "D7", "L1", "X2")
WHY = (
    "Many loops survive a cancel or a crash and then fail on the user's next word, because one "
    "call is unanswered for ever. Public reports: langgraph #1899, pydantic-ai #4728 (mended "
    "since)."
)
CURE = (
    "On recovery and before each request, close what is open with synthetic results, drop what has "
    "no partner, and keep every valid pair."
)

BENCH_RULES = frozenset({"request_cap"})
"""Refusals that say nothing of the conversation."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether each later turn and start asks the model something well-formed."""
    if not evidence.remembers:
        return promise.cannot_be_judged(f"this subject's resume is {evidence.capabilities.resume}")
    views = evidence.views
    later = [
        exchange
        for exchange in views.exchanges
        if exchange.start > 1 or views.turn_of(exchange) > 0
    ]
    found = [finding for exchange in later for finding in _in_request(evidence, exchange)]
    asked = {exchange.start for exchange in later}
    found += [
        finding
        for start in views.starts
        if start.number > 1 and start.number not in asked
        for finding in _silent(start)
    ]
    return promise.total(found, untested="there was no later turn and no later start")


def _in_request(evidence: Evidence, exchange: Exchange) -> Iterator[Finding]:
    refused = exchange.refused
    if refused is not None and refused.rule not in BENCH_RULES:
        yield promise.broken(
            f"request {exchange.number} was refused ({refused.rule}): {refused.sentence}",
            exchange.position,
            refused.position,
        )
        return
    if not evidence.paired:
        yield promise.cannot_be_judged(
            "later requests were accepted; this subject writes calls and results as plain text, so "
            "whether they are complete cannot be judged"
        )
        return
    for flaw in exchange.flaws:
        yield promise.broken(f"in request {exchange.number} {flaw.sentence}", exchange.position)
    if not exchange.flaws:
        yield promise.held("later requests are well-formed", exchange.position)


def _silent(start: Start) -> Iterator[Finding]:
    if start.ended is None or start.killed or not start.started.input:
        return
    proof = (start.position, start.ended.position)
    if start.end_reason == "error":
        error = start.ended.account.error or "no reason given"
        yield promise.broken(
            f"start {start.number} ended with an error before it asked the model: "
            f"{quoted(error, 200)}",
            *proof,
        )
    else:
        yield promise.unknown(f"start {start.number} ended without asking the model", *proof)
