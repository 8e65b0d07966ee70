"""A batch is not all run at once: what is under way at the same time has a bound.

Seen from the world: how many invocations of one start are under way together, from arrival to
answer. Which bound is right nobody outside knows; one that no batch of the catalogue's size reaches
is none. It is put to the test where the world held the calls of a batch that is larger than that.
"""

from __future__ import annotations

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange

NAME = "pool_bounded"
CLAIM = "S1"
CLAIMS = (CLAIM,)
WHY = (
    "Two hundred reads in one reply are two hundred connections and processes in the same moment; "
    "the machine, or the service behind the tool, decides which of them fail."
)
CURE = "Start calls through a pool of fixed size, as many as a machine takes without noticing."

POOL_MAX = 16
"""As large as pools in use are (4 to 16)."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether no more than a pool of calls was under way at a time."""
    if evidence.one_call_a_reply:
        return promise.cannot_be_judged("this subject lets the model make one call at a time")
    found = [
        _judge_batch(evidence, exchange)
        for exchange in evidence.views.exchanges
        if len(exchange.calls) > POOL_MAX
    ]
    return promise.total(found, untested=f"no batch had more than {POOL_MAX} calls")


def _judge_batch(evidence: Evidence, exchange: Exchange) -> Finding:
    batch = [one for one in evidence.views.invocations if one.call in exchange.calls]
    if not any(one.held for one in batch):
        return promise.not_applicable("the world held no call long enough for others to join it")
    moves = sorted(
        [(one.position, 1) for one in batch] + [(one.over, -1) for one in batch if one.over]
    )
    under_way, most, where = 0, 0, exchange.position
    for position, change in moves:
        under_way += change
        if under_way > most:
            most, where = under_way, position
    what = f"{most} of {len(exchange.calls)} calls were under way at once"
    proof = (exchange.position, where)
    return promise.broken(what, *proof) if most > POOL_MAX else promise.held(what, *proof)
