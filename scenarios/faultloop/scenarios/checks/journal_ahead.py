"""The journal is ahead of the world: a call stands in it before it runs, and truly.

Judged on loops that show their journal. For every invocation that reached the world there is the
committed message that makes the call, then its start, in this order; a message is committed once;
nothing that ran is journalled as never executed. Where execution starts per item (SPEC L4) the
committed item is what counts for the message. The journal itself has no positions in our
history, so "before" is judged where it shows: in the journal's own order, and after a kill.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Invocation

NAME = "journal_ahead"
CLAIM = "D1"
CLAIMS = (CLAIM, "D9", "S4")
WHY = (
    "What runs before it is written down is lost in a crash: on restart nobody knows that it was "
    "started, and it is done again."
)
CURE = (
    "Write ahead: commit the whole assistant message, then `call started`, each durable before the "
    "next thing happens; write the result after."
)

promise = Promise(name=NAME, claim=CLAIM)

Journal = Sequence[dict[str, Any]]


class Entries(NamedTuple):
    """Where a call stands in the journal; None where it does not."""

    committed: int | None
    started: int | None
    ended: int | None
    not_executed: int | None


_KINDS = ("message_committed", "call_started", "call_ended", "call_not_executed")
_ITEM = "item_committed"
"""The events that speak of calls, in the order of the fields of `Entries`."""

NOWHERE = Entries(committed=None, started=None, ended=None, not_executed=None)


def judge(evidence: Evidence) -> Finding:
    """Whether everything that ran had been journalled."""
    if evidence.journal is None:
        return promise.cannot_be_judged("this subject shows no journal")
    found = [*_committed_once(evidence.journal)]
    entries = entries_by_call(evidence.journal)
    for one in evidence.views.invocations:
        if one.call is not None:
            found.append(_judge_call(entries.get(one.call.id, NOWHERE), one))
    return promise.total(found, untested="no call reached the world")


def entries_by_call(journal: Journal) -> dict[str, Entries]:
    """For each call, by id, the first places in the journal that speak of it."""
    first: dict[str, dict[str, int]] = {kind: {} for kind in _KINDS}
    for index, event in enumerate(journal):
        places = first.get("message_committed" if event["type"] == _ITEM else event["type"])
        if places is None:
            continue
        if "call_id" in event:
            places.setdefault(event["call_id"], index)
        elif event["type"] == _ITEM:
            places.setdefault(event["call"]["id"], index)
        else:
            for call in event["message"].get("calls", ()):
                places.setdefault(call["id"], index)
    committed, started, ended, not_executed = (first[kind] for kind in _KINDS)
    return {
        call_id: Entries(
            committed.get(call_id),
            started.get(call_id),
            ended.get(call_id),
            not_executed.get(call_id),
        )
        for call_id in {**committed, **started, **ended, **not_executed}
    }


def _judge_call(entries: Entries, one: Invocation) -> Finding:
    what = f"{one.tool} reached the world"
    if entries.committed is None:
        return promise.broken(f"{what} and no journalled message makes this call", one.position)
    if entries.started is None and entries.not_executed is not None:
        return promise.broken(
            f"{what} and entry {entries.not_executed} of the journal says that it was not executed",
            one.position,
        )
    if entries.started is None:
        return promise.broken(f"{what} and the journal does not say that it started", one.position)
    if entries.not_executed is not None:
        return promise.broken(
            f"{what}, and the journal says both that it started and that it was not executed "
            f"(entries {entries.started} and {entries.not_executed})",
            one.position,
        )
    order = [entries.committed, entries.started]
    if entries.ended is not None:
        order.append(entries.ended)
    if order != sorted(order):
        return promise.broken(
            f"{what}; the journal's entries are out of order (message, start, end: {order})",
            one.position,
        )
    return promise.held("every call was journalled before it ran", one.position)


def _committed_once(journal: Journal) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, event in enumerate(journal):
        if event["type"] != "message_committed":
            continue
        message_id = str(event["message"]["id"])
        if message_id in seen:
            yield promise.broken(f"entry {index} of the journal commits {message_id} a second time")
        seen.add(message_id)
