"""A batch is not all run at once: what is under way at the same time has a bound.

Seen from the world: how many calls of one batch are under way together, from arrival to answer; a
call that is tried twice at a time is one. Which bound is right nobody outside knows, so that only a
batch is judged that is larger than any pool in use, and only that all of it was under way at once
is called unbounded. It is put to the test where the world held the calls of such a batch.
"""

from __future__ import annotations

from collections import Counter

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

BATCH_MIN = 101
"""More than pools in use start: threads up to 32 (Python's default), connections up to 100 (httpx,
aiohttp)."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether no batch was under way as a whole."""
    if evidence.one_call_a_reply:
        return promise.cannot_be_judged("this subject lets the model make one call at a time")
    found = [
        _judge_batch(evidence, exchange)
        for exchange in evidence.views.exchanges
        if len(exchange.calls) >= BATCH_MIN
    ]
    return promise.total(found, untested=f"no batch had {BATCH_MIN} calls")


def _judge_batch(evidence: Evidence, exchange: Exchange) -> Finding:
    batch = evidence.views.invocations_in(exchange)
    if not any(one.held for one in batch):
        return promise.not_applicable("the world held no call long enough for others to join it")
    arrivals = [(one.position, 1, id(one.call)) for one in batch]
    moves = sorted(arrivals + [(one.over, -1, id(one.call)) for one in batch if one.over])
    tries: Counter[int] = Counter()
    under_way, most, where = 0, 0, exchange.position
    for position, change, call in moves:
        tries[call] += change
        if tries[call] == (1 if change > 0 else 0):  # its only try at the time
            under_way += change
        if under_way > most:
            most, where = under_way, position
    what = f"{most} of {len(exchange.calls)} calls were under way at once"
    proof = (exchange.position, where)
    unbounded = most >= len(exchange.calls)
    return promise.broken(what, *proof) if unbounded else promise.held(what, *proof)
