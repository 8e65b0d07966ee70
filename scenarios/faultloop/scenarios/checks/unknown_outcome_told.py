"""After an uncertain effect the model is told that the outcome is unknown, or the truth.

Never that it did not happen when it did, nor that it did when it did not; and never nothing. What
is said is understood by the table in `phrases`; words that the table does not know are quoted and
judged `unknown`. A bare invitation to try again denies nothing, but told of a call whose effect is
in the ledger it asks for the effect a second time, and that is `broken` as well.
"""

from __future__ import annotations

from faultloop.scenarios.argument_text import quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.telling import Case, Telling, cases_of
from faultloop.scenarios.verdict import Finding, Promise

NAME = "unknown_outcome_told"
CLAIM = "D2"
CLAIMS = (CLAIM, "D4", "X5", "X9")
WHY = (
    "A model that is told 'was not executed' of a charge that went through charges again; so does "
    "one that is told nothing, or 'please try again'. Public report: a 504 after the commit "
    "(composio #3654)."
)
CURE = (
    "Where the world can be asked, ask it and tell what it says. Otherwise write a result that "
    "says: the outcome is unknown, it may have taken effect, check before repeating."
)

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether every uncertain effect was spoken of truly."""
    if plain := promise.needs_pairing(evidence.paired):
        return plain
    return promise.total(map(_judge_case, cases_of(evidence)), untested=_UNTESTED)


_UNTESTED = "no effect was uncertain, or no request followed that shows calls and could tell of it"


def _judge_case(case: Case) -> Finding:
    uncertain, told, telling = case
    one, number = uncertain.invocation, told.exchange.number
    proof = (*one.proof, uncertain.since, told.exchange.position)
    what = f"{one.tool} {uncertain.why}, and {'took' if told.applied else 'did not take'} effect"
    said = f"request {number} says {quoted(told.text)!r}"
    match telling:
        case Telling.DOUBT:
            return promise.held("the model was told that the outcome is unknown", *proof)
        case Telling.TRUTH:
            return promise.held(f"{what}; the model was told the truth", *proof)
        case Telling.UNTRUTH:
            return promise.broken(f"{what}; {said}, which is not so", *proof)
        case Telling.INVITATION:
            return promise.broken(f"{what}; {said}, which asks for it a second time", *proof)
        case Telling.NOTHING:
            return promise.broken(f"{what}; request {number} says nothing of the call", *proof)
        case Telling.NOT_TRACED:
            return promise.unknown(
                f"{what}; request {number} writes call ids of its own, and which of them is this "
                "call cannot be told",
                *proof,
            )
        case Telling.OTHER_WORDS:
            return promise.unknown(f"{what}; {said}: neither plain doubt nor plain denial", *proof)
