"""After a cancelled turn the next turn's model is told that it was cut, and where.

Looked for in the first request of the next turn, in what stands after the cancelled turn's last
request: a notice of the loop's own, or the result of a call that was open when the cancel came,
that speaks of an interruption (words: `phrases.CUT_WORDS`). Results of calls that had been answered
by then are the world's words, and tell of nothing.
"""

from __future__ import annotations

from faultloop.scenarios import phrases
from faultloop.scenarios.conversation_text import new_messages
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange, Start

NAME = "cut_told"
CLAIM = "X3"
CLAIMS = (CLAIM,)
WHY = "A model that is not told of the cut takes half-done work for done, or does all of it again."
CURE = (
    "Close the cancelled turn as `aborted`, give its open calls a result that says so, and put a "
    "notice of where it was cut before the next user message."
)

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether the turn after a cancel knows of it."""
    if not evidence.remembers:
        return promise.cannot_be_judged(f"this subject's resume is {evidence.capabilities.resume}")
    found = [
        _judge_cut(evidence, start, following)
        for start in evidence.views.starts
        if start.acts_of("cancel") and start.end_reason != "completed"
        for following in [_first_after(evidence, start)]
        if following is not None
    ]
    return promise.total(found, untested="no turn was cancelled that a request followed")


def _first_after(evidence: Evidence, start: Start) -> Exchange | None:
    if start.ended is None:
        return None
    return evidence.views.request_after(start.ended.position)


def _judge_cut(evidence: Evidence, start: Start, following: Exchange) -> Finding:
    last = [one for one in evidence.views.exchanges if one.start == start.number][-1:]
    known = last[0].restored.messages if last else ()
    cancel = start.acts_of("cancel")[0]
    answered = _answered_before(evidence, cancel.position)
    said = "\n".join(
        message.text
        for message in new_messages(known, following.restored.messages)
        if message.role in ("system", "user", "tool") and message.result_of not in answered
    )
    own = said.replace(_input(evidence, following), "")
    proof = (cancel.position, following.position)
    if phrases.mentions(phrases.CUT_WORDS, own):
        return promise.held("the next turn was told of the cut", *proof)
    return promise.broken(
        f"request {following.number} says nothing of the cut of the turn before it", *proof
    )


def _answered_before(evidence: Evidence, position: int) -> set[str]:
    """Ids of the calls that were closed by the world before this position."""
    return {
        one.call.id
        for one in evidence.views.invocations
        if one.call is not None and one.answered is not None and one.answered.position < position
    }


def _input(evidence: Evidence, following: Exchange) -> str:
    start = evidence.views.start(following.start)
    return start.started.input if start and start.started.input else "\0"
