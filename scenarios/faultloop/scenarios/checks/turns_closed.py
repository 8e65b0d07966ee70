"""In the journal every turn that started has exactly one end, and no call outlives its turn.

Judged on loops that show their journal. A turn that was open when the process was killed for good
is nobody's fault; one that a later start found open must have been closed as `interrupted`, with
its open calls (SPEC D7). Input is claimed after its turn has started.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding, Promise

NAME = "turns_closed"
CLAIM = "L5"
CLAIMS = (CLAIM, "D7")
WHY = (
    "A turn without an end keeps sessions locked, approvals pending and spinners spinning; one "
    "with two ends is counted, billed and reported twice."
)
CURE = (
    "Give every exit of the loop one place where the turn's end is written, and let recovery close "
    "what it finds open before anything else."
)

promise = Promise(name=NAME, claim=CLAIM)


@dataclass(slots=True)
class _Turn:
    started: int | None = None
    ends: list[str] = field(default_factory=list)
    claimed_early: bool = False
    owed: set[str] = field(default_factory=set)
    """Calls without an end, when the turn ended."""
    closed_twice: set[str] = field(default_factory=set)


def judge(evidence: Evidence) -> Finding:
    """Whether each journalled turn is closed once, with its calls."""
    if evidence.journal is None:
        return promise.cannot_be_judged("this subject shows no journal")
    turns = _turns(evidence.journal)
    last = evidence.views.starts[-1] if evidence.views.starts else None
    at_rest = last is not None and last.ended is not None and not (last.killed or last.overdue)
    proof = [last.ended.position] if last and last.ended else []
    found = [
        finding
        for number, turn in turns.items()
        for finding in _judge_turn(number, turn, proof, must_end=at_rest or number < max(turns))
    ]
    return promise.total(found, untested="no turn was started, or the only one was killed")


def _turns(journal: Sequence[dict[str, Any]]) -> dict[int, _Turn]:
    turns: dict[int, _Turn] = {}
    open_calls: dict[str, int] = {}
    closed: dict[str, int] = {}
    items = set[str]()
    for index, event in enumerate(journal):
        kind = event["type"]
        if kind in ("call_ended", "call_not_executed"):
            call_id = event["call_id"]
            if call_id in closed:
                turns[closed[call_id]].closed_twice.add(call_id)
            opened = open_calls.pop(call_id, None)
            if opened is None:
                opened = closed.get(call_id, max(turns, default=0))
            closed[call_id] = opened
            continue
        if "turn" not in event:
            continue
        turn = turns.get(event["turn"])
        if turn is None:
            turn = turns[event["turn"]] = _Turn()
        if kind == "turn_started":
            turn.started = index if turn.started is None else turn.started
        elif kind == "input_claimed":
            turn.claimed_early |= turn.started is None
        elif kind == "item_committed":  # a call of a message that is still to come (SPEC L4)
            items.add(event["call"]["id"])
            open_calls[event["call"]["id"]] = event["turn"]
        elif kind == "message_committed":
            calls = [call["id"] for call in event["message"].get("calls", ())]
            open_calls.update((call, event["turn"]) for call in calls if call not in items)
        elif kind == "turn_ended":
            turn.ends.append(event["end_reason"])
            turn.owed |= {one for one, number in open_calls.items() if number == event["turn"]}
    return turns


def _judge_turn(number: int, turn: _Turn, proof: list[int], *, must_end: bool) -> Iterator[Finding]:
    name = f"turn {number} of the journal"
    wrong = [
        sentence
        for is_so, sentence in (
            (turn.started is None, f"{name} ended or went on without having started"),
            (turn.claimed_early, f"{name} claimed its input before it started"),
            (len(turn.ends) > 1, f"{name} has {len(turn.ends)} ends: {', '.join(turn.ends)}"),
            (must_end and not turn.ends, f"{name} was never closed"),
            (bool(turn.owed), f"{name} ended with open calls: {', '.join(sorted(turn.owed))}"),
            (
                bool(turn.closed_twice),
                f"{name} closed a call twice: {', '.join(sorted(turn.closed_twice))}",
            ),
        )
        if is_so
    ]
    for sentence in wrong:
        yield promise.broken(sentence, *proof)
    if turn.ends and not wrong:
        yield promise.held("every turn of the journal has one end", *proof)
