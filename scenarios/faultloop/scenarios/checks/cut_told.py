"""After a cancelled turn the next turn's model is told that it was cut, and where.

Looked for in the first request of the next turn, in what stands after the cancelled turn's last
request: a synthetic result or a notice that speaks of an interruption (words: `phrases.CUT_WORDS`).
"""

from __future__ import annotations

from faultloop.scenarios import phrases
from faultloop.scenarios.conversation_text import new_messages
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange, Start

NAME = "cut_told"
CLAIM = "X3"
WHY = "A model that is not told of the cut takes half-done work for done, or does all of it again."
CURE = (
    "Close the cancelled turn as `aborted`, give its open calls a result that says so, and put a "
    "notice of where it was cut before the next user message."
)

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether the turn after a cancel knows of it."""
    if not evidence.remembers:
        return promise.not_applicable(f"this subject's resume is {evidence.capabilities.resume}")
    found = [
        _judge_cut(evidence, start, following)
        for start in evidence.views.starts
        if start.acts_of("cancel") and start.end_reason in ("aborted", "killed", "error")
        for following in [_first_after(evidence, start)]
        if following is not None
    ]
    return promise.total(found, untested="no turn was cancelled that a request followed")


def _first_after(evidence: Evidence, start: Start) -> Exchange | None:
    if start.ended is None:
        return None
    return next(evidence.views.requests_after(start.ended.position), None)


def _judge_cut(evidence: Evidence, start: Start, following: Exchange) -> Finding:
    last = [one for one in evidence.views.exchanges if one.start == start.number][-1:]
    known = last[0].messages if last else ()
    said = "\n".join(
        message.text
        for message in new_messages(known, following.messages)
        if message.role != "assistant"
    )
    own = said.replace(_input(evidence, following), "")
    proof = (start.acts_of("cancel")[0].position, following.position)
    if phrases.mentions(phrases.CUT_WORDS, own):
        return promise.held("the next turn was told of the cut", *proof)
    return promise.broken(
        f"request {following.number} says nothing of the cut of the turn before it", *proof
    )


def _input(evidence: Evidence, following: Exchange) -> str:
    start = evidence.views.start(following.start)
    return start.started.input if start and start.started.input else "\0"
