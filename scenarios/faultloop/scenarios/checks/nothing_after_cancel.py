"""After a cancel nothing new begins, and nothing goes on behind the user's back.

New is what the loop decided after the cancel had reached it. What was on its way is not new: an
arrival counts only once something came back to the loop after the cancel (a reply, a result, a
letting go), since only then did the loop act knowingly; until then it is in flight. So are the
other calls of a batch that was on its way, for a loop may have sent them all at once; only where
the call before one was under way for long, and came back after the cancel before this one arrived,
is it plain that the loop runs them one by one and went on. Effects of calls in flight are in order
while the start still runs, for started calls finish or stop (SPEC X2).

An effect after the start is over, or a process that outlives it, went on in the background: broken
for a command of the subject's own and for a cancellable tool, also where the loop only closed the
connection and that asks for nothing (MCP with a handshake); for a tool that cannot be stopped it
depends on whether the model was told that it stopped (SPEC X5).
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
    Left,
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
CLAIMS = (CLAIM, "X1", "C6")
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

ALONE_S_MIN = 0.25
"""Seconds that a call is under way without the next one of its batch: they are not sent at once."""

promise = Promise(name=NAME, claim=CLAIM)


def judge(evidence: Evidence) -> Finding:
    """Whether each cancel was the end of it."""
    found: list[Finding] = []
    for start in evidence.views.starts:
        for cancel in start.acts_of("cancel")[:1]:  # the first cause wins (SPEC X4)
            found += _judge_cancel(evidence, start, cancel)
    return promise.total(found, untested="nothing was cancelled")


def _judge_cancel(evidence: Evidence, start: Start, cancel: Acted) -> list[Finding]:
    found = [
        *_begun_after(evidence, start, cancel),
        *_in_background(evidence, start, cancel),
        *_left_over(evidence, start, cancel),
    ]
    if found:
        return found
    end = start.ended.position if start.ended else cancel.position
    return [promise.held("after the cancel nothing new began", cancel.position, end)]


def _begun_after(evidence: Evidence, start: Start, cancel: Acted) -> Iterator[Finding]:
    knew: int | None = None
    for entry in _of_start(evidence, start, cancel):
        if isinstance(entry, CAME_BACK):
            knew = entry.position if knew is None else knew
        elif knew is None or not isinstance(entry, Requested | CallArrived):
            continue
        elif isinstance(entry, Requested):
            yield promise.broken(
                f"request {entry.request} was made after the cancel",
                cancel.position,
                entry.position,
            )
        else:
            yield from _begun_call(evidence, cancel, knew, entry)


def _begun_call(
    evidence: Evidence, cancel: Acted, knew: int, arrived: CallArrived
) -> Iterator[Finding]:
    """A call that arrived after something had come back to the cancelled loop at `knew`."""
    what = f"{arrived.tool} was started after the cancel"
    proof = (cancel.position, arrived.position)
    before = _before(evidence, arrived, knew)
    if before is None:
        yield promise.unknown(f"{what}, and which call of the model it was cannot be told", *proof)
    elif not before:
        yield promise.broken(what, *proof)
    elif all(one.over is not None and one.over < arrived.position for one in before):
        if _one_by_one(evidence, before, cancel):
            yield promise.broken(f"{what}, when the call before it had come back", *proof)
        else:
            yield promise.unknown(f"{what}, or was on its way together with its batch", *proof)


def _before(evidence: Evidence, arrived: CallArrived, knew: int) -> list[Invocation] | None:
    """The calls of its batch that arrived while the loop could not know; None if it has none."""
    invocations = evidence.views.invocations
    call = next((one.call for one in invocations if one.arrived is arrived), None)
    if call is None:
        return None
    return [
        one
        for one in invocations
        if one.start == arrived.start
        and one.position < knew
        and one.call is not None
        and one.call.request == call.request
        and one.call.id != call.id
    ]


def _one_by_one(evidence: Evidence, before: list[Invocation], cancel: Acted) -> bool:
    """Whether the last of them was alone for long, and came back after the cancel."""
    last = max(before, key=lambda one: one.position)
    if last.over is None or last.over < cancel.position:
        return False
    return evidence.times_s[last.over] - evidence.times_s[last.position] >= ALONE_S_MIN


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


def _left_over(evidence: Evidence, start: Start, cancel: Acted) -> Iterator[Finding]:
    """Processes that outlived the start (SPEC C6), unless they run what cannot be stopped."""
    deaf = any(
        one.arrived.own and one.abandoned is not None and not one.abandoned.stopped
        for one in evidence.views.invocations
        if one.start == start.number
    )
    for entry in evidence.history:
        if isinstance(entry, Left) and entry.start == start.number and not deaf:
            many = "a process" if entry.processes == 1 else f"{entry.processes} processes"
            yield promise.broken(
                f"{many} of the cancelled start outlived it", cancel.position, entry.position
            )


def _judge_late(
    evidence: Evidence, one: Invocation, effect: EffectApplied, cancel: Acted, ended: int
) -> Finding:
    proof = (cancel.position, one.position, ended, effect.position)
    what = f"{one.tool} took effect after the cancelled start was over ({effect.what})"
    if one.arrived.own:
        return promise.broken(f"{what}: its command outlived the subject", *proof)
    if one.abandoned is None or one.abandoned.stopped:
        return promise.broken(f"{what}: the loop had not let go of it", *proof)
    if one.abandoned.unasked:
        return promise.broken(
            f"{what}: the loop closed the connection, which over MCP cancels nothing", *proof
        )
    if not evidence.paired:
        return promise.cannot_be_judged(
            f"{what}; it cannot be stopped, and this subject writes results as plain text"
        )
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
