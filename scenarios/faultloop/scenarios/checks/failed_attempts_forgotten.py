"""What an attempt said that failed does not enter the conversation.

Each reply of the scripted model ends with a mark of its own, so a whole text can be told from a
torn one. Looked for in the assistant messages of later requests: the beginning of a reply whose
connection broke or which ended without a finish reason, where the reply that came instead was
whole. A reply that was cut by its length limit is whole in this sense, and what was streamed when
the user cancelled is judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.scenarios.argument_text import quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange

NAME = "failed_attempts_forgotten"
CLAIM = "D5"
CLAIMS = (CLAIM,)
WHY = (
    "A text that broke off and the text of the retry in one message are something that the model "
    "never said; it reads its own stammer in every later request and goes on from it."
)
CURE = "Commit a message only when its attempt has ended properly; keep torn text on the screen."

OPENING_CHARS = 20
"""As much of a reply's beginning tells it."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether no torn text stands in a later request."""
    if evidence.capabilities.pairing == "text":
        return promise.cannot_be_judged("this subject writes calls and results as plain text")
    found = [
        finding
        for exchange in evidence.views.exchanges
        if exchange.closed is not None and exchange.closed.outcome in ("reset", "cut")
        for finding in _judge(evidence, exchange)
    ]
    return promise.total(found, untested="no text broke off that a later request could repeat")


def _judge(evidence: Evidence, torn: Exchange) -> Iterator[Finding]:
    said = torn.replied.text if torn.replied else ""
    opening = said[:OPENING_CHARS]
    if len(opening) < OPENING_CHARS:
        return
    whole = [
        one.replied.text
        for one in evidence.views.exchanges
        if one.replied is not None and not one.broke_off
    ]
    for later in evidence.views.requests_after(torn.over):
        spoken = [one.text for one in later.messages if one.role == "assistant" and one.text]
        proof = (torn.position, torn.over, later.position)
        for text in spoken:
            rest = text
            for reply in whole:
                rest = rest.replace(reply, "")
            if opening in rest:
                yield promise.broken(
                    f"request {later.number} still holds what request {torn.number} was told "
                    f"before its reply broke off: {quoted(text)!r}",
                    *proof,
                )
                return
        if spoken:
            yield promise.held("nothing of a failed attempt is in the conversation", *proof)
