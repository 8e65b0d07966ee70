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
"""The events that speak of calls, in the order of the fields of `Entries`."""
_ITEM = "item_committed"
"""It commits one call of a message that is still to come, as `message_committed` does."""


def judge(evidence: Evidence) -> Finding:
    """Whether everything that ran had been journalled."""
    if evidence.journal is None:
        return promise.cannot_be_judged("this subject shows no journal")
    found = [*_committed_once(evidence.journal)]
    places = _places(evidence.journal)
    kept: list[int] = []
    for one in evidence.views.invocations:
        if one.call is None:
            continue
        # Its own name for the call, where the model's id was missing or is that of another call.
        own = one.arrived.call_id or ""
        call_id = own if own in places["message_committed"] else one.call.id
        wrong = _wrong(Entries(*[places[kind].get(call_id) for kind in _KINDS]))
        if wrong:
            found.append(promise.broken(f"{one.tool} reached the world{wrong}", one.position))
        else:
            kept.append(one.position)
    if kept:
        found.append(promise.held("every call was journalled before it ran", *kept))
    return promise.total(found, untested="no call reached the world")


def _places(journal: Journal) -> dict[str, dict[str, int]]:
    """For each kind the first place in the journal that speaks so of a call, by the call's id."""
    first: dict[str, dict[str, int]] = {kind: {} for kind in _KINDS}
    first[_ITEM] = first["message_committed"]
    for index, event in enumerate(journal):
        places = first.get(event["type"])
        if places is not None:
            for call_id in _calls_of(event):
                places.setdefault(call_id, index)
    return first


def _calls_of(event: dict[str, Any]) -> list[str]:
    """The ids of the calls that an event speaks of."""
    if "call_id" in event:
        return [event["call_id"]]
    calls = [event["call"]] if event["type"] == _ITEM else event["message"].get("calls", ())
    return [call["id"] for call in calls]


def _wrong(entries: Entries) -> str:
    """What the journal says wrongly of a call that ran, as a clause; empty if nothing."""
    committed, started, ended, not_executed = entries
    if committed is None:
        return " and no journalled message makes this call"
    if started is None and not_executed is not None:
        return f" and entry {not_executed} of the journal says that it was not executed"
    if started is None:
        return " and the journal does not say that it started"
    if not_executed is not None:
        return (
            ", and the journal says both that it started and that it was not executed "
            f"(entries {started} and {not_executed})"
        )
    order = [committed, started] if ended is None else [committed, started, ended]
    if order != sorted(order):
        return f"; the journal's entries are out of order (message, start, end: {order})"
    return ""


def _committed_once(journal: Journal) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, event in enumerate(journal):
        if event["type"] != "message_committed":
            continue
        message_id = str(event["message"]["id"])
        if message_id in seen:
            yield promise.broken(f"entry {index} of the journal commits {message_id} a second time")
        seen.add(message_id)
