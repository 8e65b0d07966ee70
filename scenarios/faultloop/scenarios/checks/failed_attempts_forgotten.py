"""What an attempt said that failed does not enter the conversation.

Looked for in the assistant messages of the later requests: pieces of a reply whose connection broke
or which ended without a finish reason. What whole replies said is taken out first, however its
white space came back. A torn text and the retry begin alike, so that a piece which a whole reply in
other words (shortened, without its mark) could have left proves nothing; one more of them than
there are such replies does. Where the text is said to be an interrupted one, in
words that are not its own, nobody is misled. A
reply that was cut by its length limit is whole in this sense, and what was streamed when the user
cancelled is judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from faultloop.scenarios.argument_text import quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.phrases import CUT_WORDS, mentions
from faultloop.scenarios.pieces import alike
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
PIECE_CHARS = 12
"""As much of a reply in a row may be a piece of it."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether no torn text stands in a later request."""
    if plain := promise.needs_pairing(evidence.paired):
        return plain
    found = [
        finding
        for exchange in evidence.views.exchanges
        if exchange.closed is not None and exchange.closed.outcome in ("reset", "cut")
        for finding in _judge(evidence, exchange)
    ]
    return promise.total(found, untested="no text broke off that a later request could repeat")


def _judge(evidence: Evidence, torn: Exchange) -> Iterator[Finding]:
    said = _spaced(torn.replied.text if torn.replied else "")
    if len(said) < OPENING_CHARS:
        return
    whole = {
        _spaced(one.replied.text)
        for one in evidence.views.exchanges
        if one.replied is not None and one.replied.text and not one.broke_off
    }
    for later in evidence.views.requests_after(torn.over):
        spoken = [_spaced(one.text) for one in later.messages if one.role == "assistant"]
        if not any(spoken) and _asks(later) == _asks(torn):
            continue  # the retry itself: what will be kept of either is still to be seen
        unmarked = [
            one
            for one in spoken
            if not mentions(CUT_WORDS, _without_beginning(_without(one, whole), said))
        ]
        rest = _without("\n".join(unmarked), whole)
        changed = [text for text in whole if not any(text in one for one in spoken)]
        twins = sum(text.startswith(said[:OPENING_CHARS]) for text in changed)
        what = f"what request {torn.number} was told before its reply broke off"
        proof = (torn.position, torn.over, later.position)
        if rest.count(said[:OPENING_CHARS]) > twins:
            yield promise.broken(
                f"request {later.number} still holds {what}: {quoted(rest)!r}", *proof
            )
            return
        if _share_a_piece(said, rest):
            yield promise.unknown(
                f"request {later.number} holds {quoted(rest)!r}: {what}, or a whole reply changed",
                *proof,
            )
        else:
            yield promise.held("nothing of a failed attempt is in the conversation", *proof)


def _asks(exchange: Exchange) -> str:
    """The user's last message in a request."""
    said = [one.text for one in exchange.messages if one.role == "user"]
    return said[-1] if said else ""


def _spaced(text: str) -> str:
    """With single spaces."""
    return " ".join(text.split())


def _without(text: str, parts: Iterable[str]) -> str:
    for part in sorted(parts, key=len, reverse=True):
        text = text.replace(part, " ")
    return text


def _without_beginning(text: str, said: str) -> str:
    """The text without as much as it holds of the beginning of what was said, wherever it does."""
    opening = said[:OPENING_CHARS]
    before, *after = text.split(opening)
    rest = said[OPENING_CHARS:]
    return before + "".join(f" {part[alike(part, rest) :]}" for part in after)


def _share_a_piece(said: str, rest: str) -> bool:
    return any(said[i : i + PIECE_CHARS] in rest for i in range(len(said) - PIECE_CHARS + 1))
