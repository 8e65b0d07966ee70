"""After a cancel nothing new begins, and nothing goes on behind the user's back.

New is what the loop decided after the cancel had reached it. What was on its way is not new: an
arrival counts only once something came back to the loop after the cancel (a reply, a result, a
letting go), since only then did the loop act knowingly; until then it is in flight. Effects of
calls in flight are in order while the start still runs, for started calls finish or stop (SPEC X2).
An effect after the start is over happened in the background: broken for a command of the subject's
own and for a cancellable tool; for a tool that cannot be stopped it depends on whether the model
was told that it stopped (SPEC X5).
"""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.fakes.history import (
    Acted,
    AnyEntry,
    CallAbandoned,
    CallAnswered,
    CallArrived,
    EffectApplied,
    Failed,
    Refused,
    Replied,
    ReplyClosed,
    Requested,
)
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.phrases import Tone
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Invocation, Start
from faultloop.scenarios.views.told import told_of

NAME = "nothing_after_cancel"
CLAIM = "X5"
WHY = (
    "A user who cancels believes that it stopped: a command that was left running writes its file "
    "a minute later. Public report: a stop that did not reach the shell (nanobot #2765)."
)
CURE = (
    "Check the signal before each request and each tool start, hand it to streams, tools and retry "
    "waits, end the whole process tree of a command, and wait for what cannot be stopped."
)

CAME_BACK = (Replied, ReplyClosed, Failed, Refused, CallAnswered, CallAbandoned)
"""What shows that the loop went on after the cancel."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether each cancel was the end of it."""
    found: list[Finding] = []
    for start in evidence.views.starts:
        for cancel in start.acts_of("cancel")[:1]:  # the first cause wins (SPEC X4)
            found += _judge_cancel(evidence, start, cancel)
    return promise.total(found, untested="nothing was cancelled")


def _judge_cancel(evidence: Evidence, start: Start, cancel: Acted) -> list[Finding]:
    found = [*_begun_after(evidence, start, cancel), *_in_background(evidence, start, cancel)]
    if found:
        return found
    end = start.ended.position if start.ended else cancel.position
    return [promise.held("after the cancel nothing new began", cancel.position, end)]


def _begun_after(evidence: Evidence, start: Start, cancel: Acted) -> Iterator[Finding]:
    knowing = False
    for entry in _of_start(evidence, start, cancel):
        if isinstance(entry, CAME_BACK):
            knowing = True
        elif knowing and isinstance(entry, Requested):
            yield promise.broken(
                f"request {entry.request} was made after the cancel",
                cancel.position,
                entry.position,
            )
        elif knowing and isinstance(entry, CallArrived):
            yield promise.broken(
                f"{entry.tool} was started after the cancel", cancel.position, entry.position
            )


def _of_start(evidence: Evidence, start: Start, cancel: Acted) -> Iterator[AnyEntry]:
    """What this start did after the cancel, until it was given new input."""
    for entry in evidence.history[cancel.position + 1 :]:
        if entry.start != start.number and not isinstance(entry, Acted):
            continue
        if isinstance(entry, Acted) and entry.do in ("message", "follow_up"):
            return
        yield entry


def _in_background(evidence: Evidence, start: Start, cancel: Acted) -> Iterator[Finding]:
    if start.ended is None:
        return
    for one in evidence.views.invocations:
        late = [effect for effect in one.effects if effect.position > start.ended.position]
        if one.start == start.number and late:
            yield _judge_late(evidence, one, late[0], cancel, start.ended.position)


def _judge_late(
    evidence: Evidence, one: Invocation, effect: EffectApplied, cancel: Acted, ended: int
) -> Finding:
    proof = (cancel.position, one.position, ended, effect.position)
    what = f"{one.tool} took effect after the cancelled start was over ({effect.what})"
    if one.arrived.own:
        return promise.broken(f"{what}: its command outlived the subject", *proof)
    if one.abandoned is None or one.abandoned.stopped:
        return promise.broken(f"{what}: the loop had not let go of it", *proof)
    told = told_of(evidence.views, one.call, ended) if one.call else None
    if told is None:
        return promise.unknown(
            f"{what}; it cannot be stopped, and nobody asked what was told", *proof
        )
    if told.understood.tone is Tone.ADMITS:
        return promise.held(f"{what}; it cannot be stopped, and the model was told so", *proof)
    if told.understood.tone is Tone.DENIES:
        return promise.broken(
            f"{what}; the model was told {told.understood.words!r}", *proof, told.exchange.position
        )
    return promise.unknown(
        f"{what}; it cannot be stopped, and the model was told {told.text[:80]!r}",
        *proof,
        told.exchange.position,
    )
