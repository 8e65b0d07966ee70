"""What the world answered to a call is what the model is told of that call.

Four ways to tell something else are judged, in the first request after the answer: the answer of
another call stands in its place; a good answer is told as if nothing had been done; one that holds
more than that it was done is told with no more than that, or with nothing; a failure is told as a
success, with nothing, or with no more than that it failed. How an answer is wrapped, cut
or shortened is a loop's own business: it is enough that a piece of it is there that no other answer
of the batch has; and another call's answer stands in its place only if it is long, or most of what
was told. What is told in other words is not judged, for loops may summarise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from faultloop.fakes.history import CallAnswered
from faultloop.scenarios.argument_text import quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.phrases import Tone, understand
from faultloop.scenarios.pieces import holds_own, stands_in_place
from faultloop.scenarios.speaking import Speaking, is_bare_failure, speaking
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import DeliveredCall, Exchange
from faultloop.scenarios.views.told import code_of, content

NAME = "answers_told"
CLAIM = "L1"
CLAIMS = (CLAIM, "X9", "P9", "C4")
WHY = (
    "A result under the wrong call, a payment that was made and is told as not made, 'Tool failed' "
    "where the tool said why, 'ok' where a file was read: the model decides on what it is told, "
    "and nothing looks wrong. Parallel results were matched to the wrong calls (langgraph #6533)."
)
CURE = (
    "Commit each answer under the id of its own call, hand on a failure's message, and let a "
    "cancel close only what had not been answered."
)

SHORT_CHARS = 2_000
"""A longer answer may be kept elsewhere and pointed to."""
_WORD = re.compile(r"\w{3,}")
_SHORT_WORD = re.compile(r"\w+")
"""Asked for where an answer has no longer one: `42`, `no`."""

OTHER_WORDS = "the model was told in other words than the world's"

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether each answer reached the model as the answer of its own call."""
    if plain := promise.needs_pairing(evidence.paired):
        return plain
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
        told = evidence.views.told_after(answer.position, call)
        if told is None:
            continue
        others = [one for other, one in answers.items() if one is not None and other != call.id]
        yield _judge(call, answer, others, told.text, told.request)


def _answer(evidence: Evidence, call: DeliveredCall) -> CallAnswered | None:
    """The last thing that the world said of a call, where it is sure which call that was."""
    answered: CallAnswered | None = None
    for one in evidence.views.invocations_of(call):
        if one.ran:
            if not one.sure:
                return None
            answered = one.answered
    return answered if answered is not None and answered.outcome != "unknown" else None


def _judge(
    call: DeliveredCall,
    answer: CallAnswered,
    others: list[CallAnswered],
    told: str,
    following: Exchange,
) -> Finding:
    proof = (answer.position, following.position)
    own, texts = content(answer.body), [content(one.body) for one in others]
    if holds_own(told, own, texts) or (told.strip() == own.strip() and own not in texts):
        return promise.held("each call was told with its own answer", *proof)
    what = f"request {following.number} says of {call.tool}: {quoted(told)!r}"
    stranger = next(
        (one for one, text in zip(others, texts, strict=True) if stands_in_place(told, text, own)),
        None,
    )
    if stranger is not None:
        return promise.broken(f"{what}, which is another call's answer", *proof, stranger.position)
    if answer.outcome == "failed":
        return _judge_failure(call, answer, told, what, proof)
    if understand(told).tone is Tone.DENIES and understand(own).tone is not Tone.DENIES:
        return promise.broken(f"{what}, though it was answered {answer.status}", *proof)
    if _is_withheld(own, told):
        return promise.broken(f"{what}, and nothing of the answer {quoted(own)!r}", *proof)
    return promise.not_applicable(OTHER_WORDS)


def _is_withheld(own: str, told: str) -> bool:
    """Whether a short answer that holds something to be known is told with no word of it."""
    if not own.strip() or len(own) > SHORT_CHARS or speaking(own) is Speaking.DONE:
        return False
    if speaking(told) not in (Speaking.DONE, Speaking.EMPTY):
        return False
    known = own.casefold()
    words = {*_WORD.findall(known)} or {*_SHORT_WORD.findall(known)}
    return bool(words) and words.isdisjoint(_SHORT_WORD.findall(told.casefold()))


def _judge_failure(
    call: DeliveredCall, answer: CallAnswered, told: str, what: str, proof: tuple[int, ...]
) -> Finding:
    """Words other than the world's, for a failure: its reason may be among them."""
    code = code_of(answer.body)
    if code and code.casefold() in told.casefold():
        return promise.held("a failure was told with its code", *proof)
    if speaking(told) is Speaking.DONE:
        return promise.broken(f"{what}; it failed, and that is told as if it had worked", *proof)
    names_no_reason = is_bare_failure(content(answer.body), call.tool)
    if not names_no_reason and (not told.strip() or is_bare_failure(told, call.tool)):
        return promise.broken(f"{what}; it failed, and that is told without the reason", *proof)
    return promise.not_applicable(OTHER_WORDS)
