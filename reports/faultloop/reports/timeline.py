"""The timeline of a play: its history as marks on five lanes, in the order of the history.

    model    what the model said
    wire     requests, and how each reply ended
    tools    invocations, from arrival to answer
    effects  what really changed
    bench    starts and ends of the subject, injected faults, kills, cancels, messages

A mark is one entry, worded for a person; its notes hold the entry's content. Marks with the same
`span` belong together (a request and its end, an invocation and its answer); `slot` sets spans
apart that are open at the same time. Nothing is judged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, assert_never

import msgspec

from faultloop.fakes import history as h
from faultloop.fakes.conversation import Message

Lane = Literal["model", "wire", "tools", "effects", "bench"]
LANES: tuple[Lane, ...] = ("model", "wire", "tools", "effects", "bench")

Look = Literal["said", "out", "back", "bad", "effect", "fault", "kill", "hand", "start", "end"]
"""How a mark is drawn: said (the model), out and back (to and from the subject's outside), bad (a
failure, refusal or loss), effect, fault, kill, hand (any other deed of the bench), start, end."""

TITLE_CHARS_MAX = 110
NOTE_CHARS_MAX = 2_000
SPANS_ABREAST_MAX = 3

_MARK = re.compile(r"\s*\[ref [0-9a-f]+\]")


class Note(NamedTuple):
    """A labelled piece of an entry's content."""

    label: str
    text: str


class Mark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry of the history on the timeline."""

    position: int
    start: int
    lane: Lane
    look: Look
    title: str
    notes: tuple[Note, ...] = ()
    span: str = ""
    slot: int = 0
    time_s: float | None = None


class _Worded(NamedTuple):
    lane: Lane
    look: Look
    title: str
    notes: tuple[Note, ...] = ()
    span: str = ""


class Reader:
    """What wording an entry needs to know of the entries before it."""

    def __init__(self) -> None:
        self.told: dict[int, tuple[Message, ...]] = {}
        """Messages of each request."""
        self.tools: dict[int, str] = {}
        """Tool of each invocation."""

    def new_messages(self, entry: h.Requested) -> tuple[int, tuple[Message, ...]]:
        """How many messages the request carries, and those that no request before it began with."""
        messages = self.told.get(entry.same_as or 0, ()) if entry.same_as else entry.messages
        shared = max((_shared(messages, before) for before in self.told.values()), default=0)
        self.told[entry.request] = messages
        return len(messages), messages[shared:]


def timeline(history: Iterable[h.AnyEntry], times_s: Sequence[float] = ()) -> list[Mark]:
    """A mark for each entry."""
    reader = Reader()
    slots = _Slots()
    marks: list[Mark] = []
    for entry in history:
        worded = _worded(entry, reader)
        marks.append(
            Mark(
                position=entry.position,
                start=entry.start,
                lane=worded.lane,
                look=worded.look,
                title=_line(worded.title),
                notes=tuple(
                    Note(note.label, shortened(note.text, NOTE_CHARS_MAX))
                    for note in worded.notes
                    if note.text
                ),
                span=worded.span,
                slot=slots.of(worded),
                time_s=times_s[entry.position] if entry.position < len(times_s) else None,
            )
        )
    return marks


def shortened(text: str, chars_max: int) -> str:
    """The text, or its beginning and how much is left out."""
    if len(text) <= chars_max:
        return text
    left_out = len(text) - chars_max
    return f"{text[:chars_max]} … ({left_out:,} characters more)" if left_out > 20 else text


def _line(text: str) -> str:
    """One short line, without the marks by which the bench follows its script."""
    plain = " ".join(_MARK.sub("", text).split())
    return plain if len(plain) <= TITLE_CHARS_MAX else plain[: TITLE_CHARS_MAX - 1] + "…"


class _Slots:
    """Gives each open span of a lane a place of its own, the leftmost that is free."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}
        self._open: set[str] = set()

    def of(self, worded: _Worded) -> int:
        if worded.look == "start":
            self._open.clear()  # what a killed start left open is never closed
        if not worded.span:
            return 0
        if worded.look == "out":
            taken = {self._given[span] for span in self._open if span[0] == worded.span[0]}
            free = next(n for n in range(len(taken) + 1) if n not in taken)
            self._given[worded.span] = min(free, SPANS_ABREAST_MAX - 1)
            self._open.add(worded.span)
        elif worded.lane in ("wire", "tools"):
            self._open.discard(worded.span)
        return self._given.get(worded.span, 0)


def _shared(messages: tuple[Message, ...], before: tuple[Message, ...]) -> int:
    """How many messages both begin with."""
    pairs = enumerate(zip(messages, before, strict=False))
    return next((n for n, (new, old) in pairs if new != old), min(len(messages), len(before)))


# --- one wording per kind of entry -----------------------------------------------------------


def _started(entry: h.Started) -> _Worded:
    if not entry.input:
        said = "goes on with pending work"
    elif entry.resume:
        said = f"resumes its session, the user says: {entry.input}"
    else:
        said = f"the user says: {entry.input}"
    return _Worded(
        "bench", "start", f"start {entry.start}: {said}", (Note("the user's message", entry.input),)
    )


def _ended(entry: h.Ended) -> _Worded:
    account = entry.account
    if entry.how == "killed":
        outcome = "was killed"
    elif entry.how == "did_not_end":
        outcome = "did not end and was stopped"
    else:
        outcome = f"ends: {account.end_reason or 'it gives no reason'}, exit {entry.exit_code}"
    notes = (
        Note("final text", account.final_text or ""),
        Note("error", account.error or ""),
        Note("finish reason", account.finish_reason or ""),
        Note("recovered turns", ", ".join(account.recovered)),
        Note("not applicable", account.not_applicable or ""),
        Note("against the contract", "; ".join(entry.complaints)),
    )
    look: Look = "end" if entry.how == "exited" else "bad"
    return _Worded("bench", look, f"start {entry.start} {outcome}", notes)


def _left(entry: h.Left) -> _Worded:
    what = "1 process" if entry.processes == 1 else f"{entry.processes} processes"
    return _Worded("bench", "bad", f"{what} of start {entry.start} outlived it and had to be ended")


def _requested(entry: h.Requested, reader: Reader) -> _Worded:
    total, new = reader.new_messages(entry)
    count = f"{total} message{'s' * (total != 1)}"
    if entry.same_as is not None:
        title = f"request {entry.request}: the very same as request {entry.same_as}"
    else:
        fresh = f", new: {_roles(new)}" if new else ", nothing new"
        title = f"request {entry.request}: {count}{fresh}"
    notes = [Note("offered tools", ", ".join(entry.tools) or "none")]
    notes += [_message(message) for message in new]
    return _Worded("wire", "out", title, tuple(notes), f"r{entry.request}")


def _roles(messages: Sequence[Message]) -> str:
    names = [
        f"result of {message.result_of}" if message.result_of else message.role
        for message in messages
    ]
    results = [name for name in names if name.startswith("result of ")]
    if len(results) > 1:
        names = [name for name in names if name not in results] + [f"{len(results)} results"]
    return ", ".join(names)


def _message(message: Message) -> Note:
    label = f"result of {message.result_of}" if message.result_of else message.role
    calls = [f"{call.name}({call.arguments})   {call.id}" for call in message.calls]
    return Note(label, "\n".join([message.text, *calls]).strip() or "(empty)")


def _refused(entry: h.Refused) -> _Worded:
    return _Worded(
        "wire",
        "bad",
        f"request {entry.request} is refused with {entry.status}: {entry.sentence}",
        (Note("rule", entry.rule), Note("what the provider says", entry.sentence)),
        f"r{entry.request}",
    )


def _failed(entry: h.Failed) -> _Worded:
    wait = "" if entry.retry_after_s is None else f", retry after {entry.retry_after_s:g} s"
    title = f"request {entry.request} fails with {entry.status}{wait}"
    return _Worded("wire", "bad", title, (), f"r{entry.request}")


_CURSORS = {
    "count": "counted: the subject lost every mark of the conversation",
    "side": "a side request without tools, outside the script",
    "overrun": "past the end of the script",
}


def _replied(entry: h.Replied) -> _Worded:
    calls = ", ".join(f"{call.tool}({call.arguments})" for call in entry.calls)
    title = f"calls {calls}" if calls else f"says: {entry.text}"
    if entry.served > 1:
        title = f"again ({entry.served}): {title}"
    notes = [Note("thought", entry.thought)] if entry.thought else []
    notes.append(Note("text", entry.text))
    for call in entry.calls:
        notes.append(Note(f"{call.tool}, {call.id}", call.arguments or "(empty)"))
        if call.is_unsaid:
            notes.append(Note("reached nobody", "the API has no form for such a call"))
        if call.intended is not None and call.intended != call.arguments:
            notes.append(Note("what the model meant to write", call.intended))
    notes.append(Note("finish reason", entry.finish_reason))
    notes.append(Note("place in the script", _CURSORS.get(entry.cursor, "")))
    return _Worded("model", "said", title, tuple(notes), f"r{entry.request}")


_CLOSED = {
    "sent": "is sent to its end",
    "reset": "breaks off: the connection is over",
    "cut": "ends without a finish reason",
    "client_gone": "is no longer wanted: the subject hung up",
}


def _reply_closed(entry: h.ReplyClosed) -> _Worded:
    title = f"reply to request {entry.request} {_CLOSED[entry.outcome]}"
    look: Look = "back" if entry.outcome == "sent" else "bad"
    complete = ", ".join(entry.calls_complete)
    return _Worded("wire", look, title, (Note("complete calls", complete),), f"r{entry.request}")


def _call_arrived(entry: h.CallArrived, reader: Reader) -> _Worded:
    reader.tools[entry.invocation] = entry.tool
    whose = "the subject itself runs " if entry.own else ""
    notes = (
        Note("arguments", entry.arguments or "(empty)"),
        Note("call id", entry.call_id or ("" if entry.own else "none given")),
        Note("idempotency key", entry.key or ""),
    )
    title = f"{whose}{entry.tool}({entry.arguments})"
    return _Worded("tools", "out", title, notes, f"i{entry.invocation}")


def _call_held(entry: h.CallHeld, reader: Reader) -> _Worded:
    tool = reader.tools.get(entry.invocation, "invocation")
    return _Worded("tools", "hand", f"{tool} is kept waiting", (), f"i{entry.invocation}")


def _effect_applied(entry: h.EffectApplied) -> _Worded:
    notes = (Note("by", entry.tool), Note("entry in the ledger", str(entry.effect)))
    return _Worded("effects", "effect", entry.what, notes, f"i{entry.invocation}")


def _call_answered(entry: h.CallAnswered, reader: Reader) -> _Worded:
    tool = reader.tools.get(entry.invocation, "invocation")
    look: Look = "back" if entry.outcome == "ok" else "bad"
    outcome = {"ok": "ok", "failed": "failed", "unknown": "nobody can tell from this"}
    title = f"{tool} is answered {entry.how}: {outcome[entry.outcome]}"
    return _Worded("tools", look, title, (Note("body", entry.body),), f"i{entry.invocation}")


def _call_abandoned(entry: h.CallAbandoned, reader: Reader) -> _Worded:
    tool = reader.tools.get(entry.invocation, "invocation")
    title = f"the subject lets go of {tool}, its work {'stops' if entry.stopped else 'goes on'}"
    if entry.unasked:
        title = f"the connection of {tool} is closed, which cancels nothing: its work goes on"
    return _Worded("tools", "bad", title, (), f"i{entry.invocation}")


def _fault_fired(entry: h.FaultFired) -> _Worded:
    where = ""
    if entry.request is not None:
        where = f" in request {entry.request}"
    span = f"i{entry.invocation}" if entry.invocation is not None else ""
    span = span or (f"r{entry.request}" if entry.request is not None else "")
    title = f"fault: {entry.kind.replace('_', ' ')}{where}"
    notes = (Note("modelled", "there is no socket in this tier"),) if entry.modelled else ()
    return _Worded("bench", "fault", title, notes, span)


_DEEDS = {"kill": "SIGKILL", "cancel": "the user cancels"}


def _acted(entry: h.Acted) -> _Worded:
    deed = _DEEDS.get(entry.do, f"the user says ({entry.do}): {entry.text}")
    look: Look = "kill" if entry.do == "kill" else "hand"
    place = entry.landmark.replace("_", " ")
    return _Worded("bench", look, f"{deed}, at {place}", (Note("message", entry.text),))


def _gate_opened() -> _Worded:
    return _Worded("bench", "hand", "the gate opens: what held work does from here on is late")


def _worded(entry: h.AnyEntry, reader: Reader) -> _Worded:
    match entry:
        case h.Started():
            return _started(entry)
        case h.Ended():
            return _ended(entry)
        case h.Left():
            return _left(entry)
        case h.Requested():
            return _requested(entry, reader)
        case h.Refused():
            return _refused(entry)
        case h.Failed():
            return _failed(entry)
        case h.Replied():
            return _replied(entry)
        case h.ReplyClosed():
            return _reply_closed(entry)
        case h.CallArrived():
            return _call_arrived(entry, reader)
        case h.CallHeld():
            return _call_held(entry, reader)
        case h.EffectApplied():
            return _effect_applied(entry)
        case h.CallAnswered():
            return _call_answered(entry, reader)
        case h.CallAbandoned():
            return _call_abandoned(entry, reader)
        case h.FaultFired():
            return _fault_fired(entry)
        case h.Acted():
            return _acted(entry)
        case h.GateOpened():
            return _gate_opened()
        case _:
            assert_never(entry)
