"""Every call that the model made is answered, under its own id, in the next request.

Looks at each request of the loop: a call without its result right behind it, a result that was
delivered to the loop and is gone from the request that follows, and a result that bears another
call's content. Calls that a loop drops together with a truncated reply are not missed here.
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.scenarios.argument_text import quoted
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.pieces import fills, stands_in
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange, Invocation
from faultloop.scenarios.views.told import content

NAME = "results_closed"
CLAIM = "L1"
CLAIMS = (CLAIM, "D6", "X2", "S3", "P9")
WHY = (
    "A call without a result poisons the conversation: the provider answers 400 to this and every "
    "later request. It is the most reported fault of agent loops (langgraph #1899, opencode "
    "#21326, claude-code #2697, the latter two closed since)."
)
CURE = (
    "Close every open call before anything else enters the history: its result, or a synthetic one "
    "that says why there is none; and check the view of the history again before each request."
)

CONTENT_CHARS_MIN = 8
"""Shorter contents are not told apart."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether every call is closed in every request that shows it."""
    if plain := promise.needs_pairing(evidence.paired):
        return plain
    exchanges = evidence.views.exchanges
    found = [finding for exchange in exchanges for finding in _in_request(exchange)]
    found += _dropped(evidence)
    return promise.total(found, untested="no request showed a call or had one to show")


def _in_request(exchange: Exchange) -> Iterator[Finding]:
    missing = [flaw for flaw in exchange.flaws if flaw.kind in ("unanswered", "late")]
    for flaw in missing:
        yield promise.broken(f"in request {exchange.number} {flaw.sentence}", exchange.position)
    if not missing and any(message.calls for message in exchange.messages):
        yield promise.held("every call is answered in every request", exchange.position)


def _dropped(evidence: Evidence) -> Iterator[Finding]:
    views = evidence.views
    due: dict[int, list[Invocation]] = {}
    for one in views.invocations:
        if one.answered is not None and _must_be_shown(one):
            following = views.requests_after(one.answered.position)
            # Only the next request is judged: later ones may be compacted.
            number = next((later.number for later in following if later.start == one.start), 0)
            due.setdefault(number, []).append(one)
    for exchange in views.exchanges:
        batch = due.get(exchange.number, [])
        for one in batch:
            yield from _shown(one, batch, exchange)


def _must_be_shown(one: Invocation) -> bool:
    return one.call is not None and one.match in ("id", "arguments") and not one.call.cut


def _shown(one: Invocation, batch: list[Invocation], exchange: Exchange) -> Iterator[Finding]:
    call, answered = one.call, one.answered
    if call is None or answered is None:
        return
    if not exchange.shows(call.id):
        yield (promise.unknown if exchange.may_show(call.id) else promise.broken)(
            f"{call.tool} was answered, and request {exchange.number} does not show call {call.id}",
            answered.position,
            exchange.position,
        )
        return
    told = exchange.told_of(call.id) or ""
    answers = [(other.call.id, other.answered) for other in batch if other.call and other.answered]
    # Of a call that was tried again any of its answers will do; one that is empty proves nothing.
    own = [content(said.body) for call_id, said in answers if call_id == call.id]
    if any(text and stands_in(text, told) for text in own):
        return
    for call_id, said in answers:
        foreign = content(said.body)
        if call_id != call.id and len(foreign) >= CONTENT_CHARS_MIN and fills(foreign, told):
            yield promise.broken(
                f"request {exchange.number} answers call {call.id} of {call.tool} with the result "
                f"of call {call_id}: {quoted(foreign)!r}",
                answered.position,
                said.position,
                exchange.position,
            )
