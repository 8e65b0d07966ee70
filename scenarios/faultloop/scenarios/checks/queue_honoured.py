"""What the user says while the loop runs enters where it belongs, once, and is not lost.

Steering enters after the current batch, in the next request; a follow-up enters only when the loop
would otherwise have stopped. A request that was on its way when the words were spoken cannot hold
them: it is passed over until something came back to the loop. Input that is queued when the turn is
cancelled may be dropped (SPEC X4), and what was said to a process that was then killed is not known
to have been taken.
"""

from __future__ import annotations

from faultloop.fakes.history import Acted
from faultloop.scenarios.checks.nothing_after_cancel import CAME_BACK
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange, Start

NAME = "queue_honoured"
CLAIM = "X7"
CLAIMS = (CLAIM, "I1", "I3", "L7", "X6")
WHY = (
    "A user who steers sees the loop go the wrong way for another ten steps, or finds the message "
    "gone; where it is pushed between a call and its result, the provider answers 400."
)
CURE = (
    "Put input into a durable inbox with lanes, and claim it only between a closed batch and the "
    "next request."
)

SPOKEN = ("steer", "follow_up", "message")

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether everything that was said while the loop ran was heard in its place."""
    found = [
        _judge_words(evidence, start, act)
        for start in evidence.views.starts
        for act in start.acts_of(*SPOKEN)
        if act.text
    ]
    return promise.total(found, untested="nothing was said while the loop ran")


def _judge_words(evidence: Evidence, start: Start, act: Acted) -> Finding:
    later = list(evidence.views.requests_after(act.position))
    heard = next((exchange for exchange in later if exchange.says(act.text)), None)
    if heard is None:
        return _not_heard(start, act, later)
    proof = (act.position, heard.position)
    times = sum(message.text.count(act.text) for message in heard.messages)
    if times > 1:
        return promise.broken(f"request {heard.number} holds {act.text!r} {times} times", *proof)
    if act.do == "steer":
        return _judge_steer(evidence, act, later, heard)
    if act.do == "follow_up":
        return _judge_follow_up(evidence, start, act, heard)
    return promise.held("what was said while the loop ran was heard", *proof)


def _not_heard(start: Start, act: Acted, later: list[Exchange]) -> Finding:
    ended = start.ended.position if start.ended else act.position
    proof = (act.position, ended, *(exchange.position for exchange in later[:1]))
    if start.killed:
        return promise.unknown(
            f"{act.do} {act.text!r} was spoken to a process that was killed", *proof
        )
    if start.acts_of("cancel"):
        return promise.held("queued input was dropped with the cancelled turn", *proof)
    if act.do == "message":
        return promise.unknown(
            f"message {act.text!r} was refused or lost; which is not known", *proof
        )
    return promise.broken(f"{act.do} {act.text!r} was never heard", *proof)


def _judge_steer(evidence: Evidence, act: Acted, later: list[Exchange], heard: Exchange) -> Finding:
    due = next((exchange for exchange in later if _came_back(evidence, act, exchange)), heard)
    proof = (act.position, due.position, heard.position)
    if heard.number > due.number:
        return promise.broken(
            f"{act.text!r} was heard in request {heard.number}, not in request {due.number}", *proof
        )
    return promise.held("steering entered the next request", *proof)


def _came_back(evidence: Evidence, act: Acted, exchange: Exchange) -> bool:
    between = evidence.history[act.position + 1 : exchange.position]
    return any(isinstance(entry, CAME_BACK) for entry in between)


def _judge_follow_up(evidence: Evidence, start: Start, act: Acted, heard: Exchange) -> Finding:
    before = [
        exchange
        for exchange in evidence.views.exchanges
        if exchange.number < heard.number and exchange.start == start.number
    ]
    proof = (act.position, heard.position)
    if before and before[-1].calls and heard.start == start.number:
        return promise.broken(
            f"the follow-up {act.text!r} entered request {heard.number}, while the loop still owed "
            "the model results",
            *proof,
        )
    return promise.held("the follow-up entered when the loop would have stopped", *proof)
