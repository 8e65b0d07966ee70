"""What a turn has done is still told in the next one.

Each call that changed the world, and was answered so, must be shown in the first request after a
further message of the user. No play is so long that a loop would have reason to shorten what was
said before. A call whose outcome is uncertain is `unknown_outcome_told`'s, and one of a cut reply
has no place in the history.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Invocation, Start
from faultloop.scenarios.views.told import told_of

NAME = "results_kept"
CLAIM = "D6"
CLAIMS = (CLAIM,)
WHY = (
    "A model that is not told what was done in the turn before does it again, or denies it. Public "
    "report: a session that kept the words of a streamed run and none of its calls "
    "(openai-agents-python #2426, mended since)."
)
CURE = (
    "Store each call and its result as they come, not at the end of the turn, and put all valid "
    "pairs into the next request."
)

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether what was done before a message of the user is known after it."""
    if not evidence.remembers:
        return promise.cannot_be_judged(f"this subject's resume is {evidence.capabilities.resume}")
    if plain := promise.needs_pairing(evidence.paired):
        return plain
    found = [
        finding
        for start in evidence.views.starts
        if start.turn > 0
        for one in evidence.views.invocations
        for finding in _judge(evidence, start, one)
    ]
    return promise.total(found, untested="no message followed a call that had changed the world")


def _judge(evidence: Evidence, start: Start, one: Invocation) -> Iterator[Finding]:
    call, answered = one.call, one.answered
    if call is None or call.cut or not (one.sure and one.effects):
        return
    if answered is None or answered.outcome != "ok" or answered.position > start.position:
        return
    told = told_of(evidence.views, call, start.position)
    if told is None:
        return
    proof = (one.effects[0].position, answered.position, told.exchange.position)
    if told.shown:
        yield promise.held("what was done is still told", *proof)
    else:
        what = f"{one.tool} was done, and request {told.exchange.number}"
        if told.untraced:
            sentence = f"{what} shows calls under ids that nobody gave; it may be one of them"
            yield promise.unknown(sentence, *proof)
        else:
            yield promise.broken(f"{what}, after a further message, says nothing of it", *proof)
