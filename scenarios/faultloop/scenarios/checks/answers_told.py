"""What the world answered to a call is what the model is told of that call.

Three ways to tell something else are judged, in the first request after the answer: the answer of
another call stands in its place; a good answer is told as if nothing had been done; a failure is
told without its reason, or as a success. How an answer is wrapped, cut or shortened is a loop's own
business: it is enough that a piece of it is there. What is told in other words, neither the answer
nor a denial, is not judged, for loops may summarise.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.fakes.history import CallAnswered
from faultloop.scenarios.argument_text import quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.phrases import Tone, understand
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import DeliveredCall, Exchange
from faultloop.scenarios.views.told import content

NAME = "answers_told"
CLAIM = "L1"
CLAIMS = (CLAIM, "X9", "P9", "C4")
WHY = (
    "A result under the wrong call, a payment that was made and is told as not made, 'Tool failed' "
    "where the tool said why: the model decides on what it is told, and nothing looks wrong. "
    "Parallel results were matched to the wrong calls (langgraph #6533)."
)
CURE = (
    "Commit each answer under the id of its own call, hand on a failure's message, and let a "
    "cancel close only what had not been answered."
)

PIECE_CHARS = 24
"""As much of an answer's beginning or end is a piece of it."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether each answer reached the model as the answer of its own call."""
    if evidence.capabilities.pairing == "text":
        return promise.cannot_be_judged("this subject writes calls and results as plain text")
    found = [
        finding
        for exchange in evidence.views.exchanges
        for finding in _judge_batch(evidence, exchange)
    ]
    return promise.total(found, untested="no call was answered that a request followed")


def _judge_batch(evidence: Evidence, exchange: Exchange) -> Iterator[Finding]:
    answers = {call.id: _answer(evidence, call) for call in exchange.calls}
    for call in exchange.calls:
        answer = answers[call.id]
        if answer is None:
            continue
        following = next(evidence.views.requests_after(answer.position), None)
        told = following.told_of(call.id) if following else None
        if following is None or told is None:
            continue
        others = [one for other, one in answers.items() if one is not None and other != call.id]
        yield _judge(call, answer, others, told, following)


def _answer(evidence: Evidence, call: DeliveredCall) -> CallAnswered | None:
    """The last thing that the world said of a call, where it is sure which call that was."""
    tries = [one for one in evidence.views.invocations_of(call) if one.ran]
    if not tries or not all(one.sure for one in tries):
        return None
    answered = tries[-1].answered
    return answered if answered is not None and answered.outcome != "unknown" else None


def _judge(
    call: DeliveredCall,
    answer: CallAnswered,
    others: list[CallAnswered],
    told: str,
    following: Exchange,
) -> Finding:
    proof = (answer.position, following.position)
    if _holds(told, answer):
        return promise.held("each call was told with its own answer", *proof)
    what = f"request {following.number} says of {call.tool}: {quoted(told)!r}"
    stranger = next((one for one in others if _holds(told, one)), None)
    if stranger is not None:
        return promise.broken(f"{what}, which is another call's answer", *proof, stranger.position)
    tone = understand(told).tone
    if answer.outcome == "failed":
        how = "as if it had worked" if tone is Tone.CONFIRMS else "without the reason"
        return promise.broken(f"{what}; it failed, and that is told {how}", *proof)
    if tone is Tone.DENIES:
        return promise.broken(f"{what}, though it was answered {answer.status}", *proof)
    return promise.not_applicable("the model was told in other words than the world's")


def _holds(told: str, answer: CallAnswered) -> bool:
    """Whether a piece of the answer stands in what was told, wrapped or not."""
    text = content(answer.body)
    pieces = {text[:PIECE_CHARS].strip(), text[-PIECE_CHARS:].strip()} - {""}
    if any(piece in told for piece in pieces):
        return True
    plain = told.replace("\\n", "\n").replace('\\"', '"')
    return any(piece in plain for piece in pieces)
