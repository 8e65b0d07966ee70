"""Every result in a request answers a call of the same request, and answers it once.

The other half of pairing: `results_closed` misses results, this one has too many of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange

NAME = "no_orphans"
CLAIM = "D6"
CLAIMS = (CLAIM, "L1")
WHY = (
    "A result without its call, or a second one for the same call, is a 400 on every further "
    "request: Roo-Code pushed two when two handlers felt responsible (#9248), oh-my-pi replayed a "
    "result whose call had been dropped (#472)."
)
CURE = (
    "Repair the view of the history before each request: drop results whose call is not in it and "
    "all but the first result of a call; write a result in one place only."
)

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether no request holds an orphaned or second result, or a call id twice."""
    if plain := promise.needs_pairing(evidence.paired):
        return plain
    found = [finding for exchange in evidence.views.exchanges for finding in _in_request(exchange)]
    return promise.total(found, untested="no request held a result")


def _in_request(exchange: Exchange) -> Iterator[Finding]:
    extra = [flaw for flaw in exchange.flaws if flaw.kind in ("orphan", "duplicate", "repeated_id")]
    for flaw in extra:
        yield promise.broken(f"in request {exchange.number} {flaw.sentence}", exchange.position)
    if not extra and any(message.role == "tool" for message in exchange.messages):
        yield promise.held("every result answers a call of its request", exchange.position)
