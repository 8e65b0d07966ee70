"""What is told of a recovery, from what it wrote."""

from __future__ import annotations

import pytest

from faultloop.bench.chat.recovered import account
from faultloop.loop.events import AnyEvent, AttemptStarted, CallEnded, CallNotExecuted, TurnEnded
from faultloop.loop.message import ResultMessage
from faultloop.loop.state import CallRecord, State, Turn

BEFORE = State(
    turn=Turn(
        number=2,
        batch=(
            CallRecord(call="2/1/0", id="a", name="write", arguments="{}", tool="write_file"),
            CallRecord(call="2/1/1", id="b", name="read_file", arguments="{}"),
        ),
    )
)
OVER = TurnEnded(turn=2, end_reason="interrupted")
RESULT = ResultMessage(call_id="a", content="", ok=False)
UNKNOWN = CallEnded(call="2/1/0", call_id="a", outcome="unknown", result=RESULT)
FAILED = CallEnded(call="2/1/1", call_id="b", outcome="failed", result=RESULT)
WAITED = CallNotExecuted(call="2/1/1", call_id="b", code="VANISHED", result=RESULT)
QUERY = AttemptStarted(attempt="2/1/2", of="query", turn=2, step=1, call="2/1/0")

TOLD: dict[str, tuple[list[AnyEvent], list[str]]] = {
    "a turn without calls": ([OVER], ["vanished in turn 2", "closed as interrupted"]),
    "an unknown outcome": ([UNKNOWN, OVER], ["the end of write_file: the outcome is unknown"]),
    "a query": (
        [QUERY, UNKNOWN, OVER],
        ["The world was asked what became of write_file.", "the outcome is unknown"],
    ),
    "a call that only read": ([FAILED, OVER], ["read_file only read, and gave no answer."]),
    "a call that waited": ([WAITED, OVER], ["read_file had not started, and was not executed."]),
}


@pytest.mark.parametrize(("wrote", "told"), TOLD.values(), ids=TOLD)
def test_each_thing_that_recovery_did_is_told(wrote: list[AnyEvent], told: list[str]) -> None:
    said = account(BEFORE, wrote)
    assert said is not None
    assert all(one in said for one in told)


def test_where_nothing_was_open_nothing_is_told() -> None:
    assert account(State(), []) is None
