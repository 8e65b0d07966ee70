"""Streamed equals whole: one script, heard in both forms, leads a loop to do the same.

Unlike the checks this is a comparison of two plays: the same subject, scenario, dialect and seed,
streamed and whole. What a stream says in pieces a whole reply says at once, so whatever a loop does
with it must be the same: what it sends back of each reply (text, calls, their order and arguments),
which tools it runs with what, and how each turn ends. Ids and marks differ from play to play and
are compared by their place. Arrivals of parallel calls have no order; the messages have.

Not compared are plays in which the form itself makes the difference: faults in how a reply is sent,
and kills and cancels, which strike at another moment of another form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from faultloop.fakes.faults.base import HttpFault, ModelFault, ToolFault
from faultloop.fakes.history import AnyEntry, CallArrived, Ended, Requested, Started
from faultloop.scenarios.argument_text import Malformed, canonical, parse
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.verdict import Finding, Promise
from faultloop.scenarios.views import Exchange, Views

NAME = "streamed_equals_whole"
CLAIM = "P3"
CLAIMS = (CLAIM,)
WHY = (
    "A loop has two ways to read a reply, and only one of them is looked at by whoever wrote it: "
    "text beside calls, the order of parallel calls or an empty argument object get lost in the "
    "other, and with them what the model knows of its own work."
)
CURE = "Make one message of both, by one assembler: a whole reply is a stream of one piece."

QUOTED_CHARS_MAX = 120

_MARK = re.compile(r"\s*\\?\[?ref [0-9a-f]{8}\\?\]?")
_IN_STREAMS = ("first_chunk", "chunk:", "stream_stalled")

promise = Promise(name=NAME, claim=CLAIM)


class Serving(NamedTuple):
    """Which reply of the script: the same in both plays."""

    turn: int
    step: int
    part: int
    served: int

    def __str__(self) -> str:
        again = f", said for the {self.served}. time" if self.served > 1 else ""
        return f"step {self.step}{again}"


class Kept(NamedTuple):
    """What the next request holds of a reply."""

    text: str
    calls: tuple[str, ...]
    """Name and arguments of each, in their order."""

    def __str__(self) -> str:
        said = [repr(self.text)] if self.text else []
        return ", ".join((*said, *self.calls)) or "nothing"


class Heard(NamedTuple):
    """One reply, and what became of it."""

    kept: Kept | None
    """None: no request after it holds it."""
    positions: tuple[int, ...]


def why_not(scenario: Scenario) -> str | None:
    """Why the plays of a scenario cannot be compared; None where they can."""
    for fault in scenario.faults:
        if not isinstance(fault, ModelFault | HttpFault | ToolFault):
            return f"the fault {fault.kind} lies in how a reply is sent, which is what differs"
    for event in scenario.events:
        if event.do in ("kill", "cancel"):
            return f"a {event.do} strikes a stream and a whole reply at different moments"
        if event.at.startswith(_IN_STREAMS):
            return f"the landmark {event.at} is one of streams"
    return None


def compare(
    scenario: Scenario, streamed: tuple[AnyEntry, ...], whole: tuple[AnyEntry, ...]
) -> Finding:
    """What two histories of one scenario show. Positions are of the streamed one."""
    if reason := why_not(scenario):
        return promise.not_applicable(reason)
    one, other = Views(streamed), Views(whole)
    for views, form in ((one, "streamed"), (other, "whole")):
        if not views.kinds.of(Requested):
            return promise.unknown(f"the {form} play made no request")
    found = [
        *_messages(_heard(one), _heard(other)),
        *_tools(one, other, times=not any(isinstance(f, ToolFault) for f in scenario.faults)),
        *_ends(one, other),
    ]
    untested = "in neither form a reply went back to the model or a tool ran"
    return promise.total(found, untested=untested)


# --- what goes back -------------------------------------------------------------------------


def _heard(views: Views) -> Mapping[Serving, Heard]:
    ids = _Places(call.id for exchange in views.exchanges for call in exchange.calls)
    found: dict[Serving, Heard] = {}
    for exchange in views.exchanges:
        said = exchange.replied
        if said is None or not said.step:
            continue
        after = views.request_after(exchange.position)
        kept = _kept(exchange, after, ids) if after is not None else None
        proof = (exchange.position, *([after.position] if after is not None else []))
        found[Serving(said.turn, said.step, said.part, said.served)] = Heard(kept, proof)
    return found


class _Places:
    """Ids of calls by the order in which the model made them: what differs from play to play."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._places = {id_: f"#{number}" for number, id_ in enumerate(dict.fromkeys(ids), 1)}
        self._any = re.compile("|".join(map(re.escape, self._places)) or "(?!)")

    def plain(self, text: str) -> str:
        """A text with places for ids, and without marks."""
        return _MARK.sub("", self._any.sub(lambda found: self._places[found[0]], text))


def _kept(exchange: Exchange, after: Exchange, ids: _Places) -> Kept | None:
    """The message of a later request that repeats a reply; none where that has left no mark."""
    said = exchange.replied
    assert said is not None
    calls = {call.id for call in said.calls}
    mark = _MARK.search(said.text)
    bare = mark[0].strip(" []\\") if mark else None
    for message in reversed(after.restored.messages):
        if message.role != "assistant":
            continue
        if calls.intersection(call.id for call in message.calls) or (bare and bare in message.text):
            made = (f"{call.name}({_arguments(call.arguments)})" for call in message.calls)
            return Kept(ids.plain(message.text), tuple(made))
    return None


def _arguments(text: str) -> str:
    value = parse(text)
    return text if isinstance(value, Malformed) else canonical(value)


def _messages(one: Mapping[Serving, Heard], other: Mapping[Serving, Heard]) -> Iterator[Finding]:
    for serving in sorted({*one, *other}):
        streamed, whole = one.get(serving), other.get(serving)
        if streamed is None or whole is None:
            form = "streamed" if whole is None else "whole"
            proof = streamed.positions if streamed else ()
            yield promise.broken(f"{serving} was asked for in the {form} play only", *proof)
        elif streamed.kept != whole.kept:
            yield promise.broken(
                f"of {serving} the next request holds {_quoted(streamed.kept)} streamed, and "
                f"{_quoted(whole.kept)} whole",
                *streamed.positions,
            )
        elif streamed.kept is not None:
            yield promise.held("each reply goes back the same in both forms", *streamed.positions)


def _quoted(kept: Kept | None) -> str:
    return _short("nothing of it" if kept is None else str(kept))


def _short(text: str) -> str:
    return text if len(text) <= QUOTED_CHARS_MAX else f"{text[:QUOTED_CHARS_MAX]}…"


# --- what is done ---------------------------------------------------------------------------


def _tools(one: Views, other: Views, *, times: bool) -> Iterator[Finding]:
    """Without `times` only whether each call ran: which of parallel calls a fault of tools strikes
    is a race, and so is then which of them is tried again."""
    streamed, whole = _ran(one), _ran(other)
    for call in sorted(streamed.keys() | whole.keys()):
        proof = [entry.position for entry in one.kinds.of(CallArrived) if _call(entry) == call]
        if streamed[call] != whole[call] and (times or 0 in (streamed[call], whole[call])):
            ran = f"{streamed[call]} times streamed, and {whole[call]} times whole"
            yield promise.broken(f"{_short(call)} ran {ran}", *proof)
        else:
            yield promise.held("each call runs the same in both forms", *proof)


def _ran(views: Views) -> Counter[str]:
    return Counter(map(_call, views.kinds.of(CallArrived)))


def _call(entry: CallArrived) -> str:
    return f"{entry.tool}({_arguments(entry.arguments)})"


def _ends(one: Views, other: Views) -> Iterator[Finding]:
    streamed, whole = _ended(one), _ended(other)
    for turn in sorted(streamed.keys() | whole.keys()):
        (how, position), (meant, _) = (ends.get(turn, _NOT_PLAYED) for ends in (streamed, whole))
        if how != meant:
            proof = () if position is None else (position,)
            yield promise.broken(f"turn {turn} ends {how} streamed, and {meant} whole", *proof)


_NOT_PLAYED: tuple[str, int | None] = ("not at all", None)


def _ended(views: Views) -> Mapping[int, tuple[str, int | None]]:
    """How the last start of each turn ended, by its own account where it gave one."""
    turns = {entry.start: entry.turn for entry in views.kinds.of(Started)}
    return {
        turns.get(entry.start, 0): (
            f"as {entry.account.end_reason}" if entry.account.end_reason else entry.how,
            entry.position,
        )
        for entry in views.kinds.of(Ended)
    }
