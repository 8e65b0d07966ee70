"""What the model asks for once happens once at most: across retries, restarts and lost memory.

Counted in the ledger. Two effects of one scripted call are told apart by what made the second:
the loop *replayed* the call (same call id), the model *issued it again* because the loop no longer
showed that it had been made (same place in the script, new id), or a *late orphan* came in after
the start that began it was over. Where a subject names no call ids the kind is a guess and is said
to be one; that there were two effects for one place in the script is none.

A model that asks twice for the same thing at two places of the script, knowing of the first, means
it; that is its own decision and none of the loop's. Of an idempotent tool a second effect changes
nothing more, and a loop may repeat it (SPEC D4).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from faultloop.fakes.history import EffectApplied
from faultloop.scenarios.argument_text import canonical, parse
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import DeliveredCall, Exchange, Invocation

NAME = "effects_once"
CLAIM = "D2"
CLAIMS = (CLAIM, "D3", "D4", "X9")
WHY = (
    "A customer is charged twice, a pull request opened twice. Every loop without a journal starts "
    "from the beginning after a crash. Public report: tools run again when the next model call "
    "fails (agno #10366)."
)
CURE = (
    "Journal a call before it runs and its result after; on recovery never run a started call "
    "again: ask the world, or tell the model that the outcome is unknown. Send a stable "
    "idempotency key with every effect."
)

_NO_IDS = ", as far as can be told without call ids"

promise = Promise(name=NAME, claim=CLAIM)


class Applied(NamedTuple):
    """An invocation and what it changed."""

    invocation: Invocation
    effect: EffectApplied


def judge(evidence: Evidence) -> Finding:
    """Whether no effect happened twice that was asked for once."""
    found = [
        promise.held(f"{call.tool} took effect at most once", call.position)
        for call in evidence.views.calls
        if call.offered and not evidence.facts(call.tool).read_only
    ]
    by_place: dict[tuple[int, int], list[Applied]] = {}
    by_content: dict[tuple[str, str], list[Applied]] = {}
    for one in evidence.views.invocations:
        if evidence.facts(one.tool).repeatable:
            continue
        content = (one.tool, canonical(parse(one.arrived.arguments)))
        for effect in one.effects[:1]:  # several changes of one invocation are the tool's business
            if one.call is not None and one.call.step:
                by_place.setdefault(one.call.place, []).append(Applied(one, effect))
            by_content.setdefault(content, []).append(Applied(one, effect))
    for applied in by_place.values():
        for earlier, later in pairwise(applied):
            found += _same_place(evidence, earlier, later)
    for applied in by_content.values():
        for earlier, later in pairwise(applied):
            found += _same_content(evidence, earlier, later)
    return promise.total(found, untested="the model asked for nothing that changes the world")


def _same_place(evidence: Evidence, earlier: Applied, later: Applied) -> Iterator[Finding]:
    """Two effects of one call of the script: one too many."""
    one, other = earlier.invocation, later.invocation
    if one.call is None or other.call is None or _several_asked(evidence, one, other):
        return
    late = _late(evidence, earlier) or _late(evidence, later)
    replayed = one.call.id == other.call.id
    kind = late or (_replayed(one, other) if replayed else _issued_again(evidence, one, other))
    if not (one.sure and other.sure):
        kind += _NO_IDS
    yield promise.broken(f"{_twice(earlier, later)}: {kind}", *one.proof, *other.proof)


def _same_content(evidence: Evidence, earlier: Applied, later: Applied) -> Iterator[Finding]:
    """The same effect at two places of the script: in order, if the model knew of the first."""
    one, other = earlier.invocation, later.invocation
    twice = _twice(earlier, later)
    if one.call is None or other.call is None:
        yield promise.unknown(
            f"{twice}, and which call of the model it was cannot be told", *one.proof, *other.proof
        )
        return
    asked = _request(evidence, other.call)
    if (
        asked is None
        or one.call.place == other.call.place  # judged above
        or one.call.request == asked.number
        or not (one.sure and other.sure)
        or asked.position < earlier.effect.position
        or asked.shows(one.call.id)
    ):
        return
    proof = (*one.proof, asked.position, *other.proof)
    if not evidence.paired:
        yield promise.unknown(f"{twice}; whether the model knew of the first is not known", *proof)
        return
    if asked.may_show(one.call.id):
        yield promise.unknown(
            f"{twice}; request {asked.number} writes call ids of its own, and whether it shows the "
            "first call cannot be told",
            *proof,
        )
        return
    yield promise.broken(
        f"{twice}: the model was never told of the first call; request {asked.number} does not "
        "show it",
        *proof,
    )


def _twice(earlier: Applied, later: Applied) -> str:
    return f"{later.invocation.tool} took effect twice ({earlier.effect.what}; {later.effect.what})"


def _several_asked(evidence: Evidence, one: Invocation, other: Invocation) -> bool:
    """Without ids, equal calls of one batch are interchangeable: as many effects are in order."""
    if one.match == "id" or one.call is None or one.call != other.call:
        return False
    asked = [
        call
        for call in evidence.views.calls
        if call.request == one.call.request
        and call.tool == one.call.tool
        and call.arguments == one.call.arguments
    ]
    applied = [same for same in evidence.views.invocations if same.call in asked and same.effects]
    return len(applied) <= len(asked)


def _late(evidence: Evidence, applied: Applied) -> str:
    number = applied.invocation.start
    start = evidence.views.start(number)
    if start is None or start.ended is None or applied.effect.position < start.ended.position:
        return ""
    return f"a late orphan of start {number} came in after that start was over"


def _replayed(one: Invocation, other: Invocation) -> str:
    when = f"in start {other.start} " if other.start != one.start else ""
    return f"{when}the loop ran the same call again"


def _issued_again(evidence: Evidence, one: Invocation, other: Invocation) -> str:
    asked = _request(evidence, other.call)
    number = asked.number if asked else 0
    if one.call is not None and one.call.cut:
        return f"the loop ran a call of a broken reply and then asked for it again ({number})"
    return (
        f"the model issued it again because request {number} no longer showed the first call "
        "(the loop forgot it)"
    )


def _request(evidence: Evidence, call: DeliveredCall | None) -> Exchange | None:
    number = call.request if call else 0
    return next((one for one in evidence.views.exchanges if one.number == number), None)
