"""Closing what nobody is working on any more (SPEC D2, D7).

A journal that ends in the middle of a turn was written by a process that vanished, or by a loop
that had an internal fault just now. Either way the open turn is closed from the inside out:
attempts, calls, step, turn. Calls that were committed before their message get one now, for they
may have run (SPEC L4). The line between "not executed" and "unknown" is the write-ahead
`CallStarted`: without it a call never ran, with it nobody can know. Where the contract names a
query, the world is asked first; its answer is handed to the model, which decides. Nothing that was
started is ever started again by the loop, and a call with a result is never touched.

`questions` says what to ask, `closures` what to write; the shell does both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec.structs import replace

from faultloop.loop import wording
from faultloop.loop.decide import broken_off, call_over, concluded, model_attempt, not_executed
from faultloop.loop.events import AnyEvent, AttemptEnded, EndReason, StepEnded, TurnEnded
from faultloop.loop.output import fit_result
from faultloop.loop.policy import Policy
from faultloop.loop.registry import Found, Query, Registry
from faultloop.loop.signals import CallOver
from faultloop.loop.state import CallRecord, State

Why = Literal["VANISHED", "FAULT"]


class Closing(NamedTuple):
    """How a turn is closed from outside."""

    attempt: Literal["interrupted", "failed"]
    step: Literal["cut", "failed"]
    turn: EndReason


CLOSINGS: Mapping[Why, Closing] = MappingProxyType(
    {
        "VANISHED": Closing(attempt="interrupted", step="cut", turn="interrupted"),
        "FAULT": Closing(attempt="failed", step="failed", turn="error"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query of the world about a call of unknown outcome."""

    record: CallRecord
    query: Query


def questions(state: State, tools: Registry) -> tuple[Question, ...]:
    """What to ask the world before the started calls are closed."""
    asked = []
    for record in state.turn.open_calls:
        found = tools.find(record.tool) if record.stage == "started" else None
        if not isinstance(found, Found) or found.tool.contract.read_only:
            continue
        query = tools.query(found.tool.contract, json.loads(record.given))
        if query is not None:
            asked.append(Question(record=record, query=query))
    return tuple(asked)


def closures(
    state: State,
    why: Why,
    tools: Registry,
    *,
    policy: Policy,
    answers: Mapping[str, str] = MappingProxyType({}),
    error: str = "",
) -> tuple[AnyEvent, ...]:
    """All that closes the open turn; nothing where none is open.

    `answers` holds what the world said, by call; `policy` is the one that the turn was under.
    """
    if state.phase == "idle":
        return ()
    closing, turn = CLOSINGS[why], state.turn
    events: list[AnyEvent] = [
        AttemptEnded(attempt=attempt.attempt, state=closing.attempt, detail=why.lower())
        for attempt in turn.attempts
    ]
    for record in turn.open_calls:
        if record.stage == "queued":
            events.append(not_executed(record, why))
        else:
            events.extend(call_over(_unseen(record, why, tools, answers.get(record.call))))
    place = model_attempt(turn) or f"{turn.number}/{turn.step}/0"  # without one: no loop's journal
    events.extend(broken_off(state, place, why.lower()))
    if state.phase != "ready":
        events.append(
            StepEnded(
                turn=turn.number,
                step=turn.step,
                why="done" if _was_done(state, policy) else closing.step,
                error=error,
            )
        )
    events.append(TurnEnded(turn=turn.number, end_reason=closing.turn, error=error))
    return tuple(events)


def is_resumable(state: State) -> bool:
    """Whether the last turn was cut by a vanished process while it still owed something.

    One that had been stopped owes nothing more: whoever stopped it did not mean "until the crash".
    """
    turn = state.turn
    stopped = turn.stop is not None or state.inbox.interrupted
    owed = turn.step > 0 and turn.why != "done"
    return turn.end_reason == "interrupted" and owed and not stopped


def _was_done(state: State, policy: Policy) -> bool:
    """The last reply was committed, and nothing but the bookkeeping is missing.

    It asked for nothing, or the results that it asked for are there and conclude (SPEC L8).
    """
    turn = state.turn
    if state.phase != "acting" or turn.truncated or turn.open_calls:
        return False
    return not turn.batch or concluded(turn, policy)


def _unseen(record: CallRecord, why: Why, tools: Registry, answer: str | None) -> CallOver:
    found = tools.find(record.tool)
    contract = found.tool.contract if isinstance(found, Found) else None
    result = wording.unseen(contract, why)
    content = result.content
    if answer is not None and contract is not None and contract.verify_with is not None:
        content = wording.queried(content, contract.verify_with, answer)
    told = replace(result, content=content)
    if contract is not None:
        told = fit_result(told, contract.output_budget_bytes)
    return CallOver(
        record=record,
        outcome=told.outcome,
        content=told.content,
        code=why,
        truncated=told.truncated,
    )
