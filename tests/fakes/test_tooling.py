"""Tool calls: what comes back, what has happened, and what the history says of both."""

import asyncio
import json

import pytest

from faultloop.fakes.answers import ToolAnswer
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import (
    CallAbandoned,
    CallAnswered,
    EffectApplied,
    FaultFired,
    GateOpened,
)
from faultloop.fakes.landmarks import Trigger

BODY = b'{"path": "a.txt", "line": "x"}'


def body_of(answer: ToolAnswer | None) -> dict:
    assert answer is not None
    return json.loads(answer.body)


async def test_a_call_is_answered_in_the_form_of_the_contract(open_play):
    play = open_play()
    answer = await play.call()

    assert answer.status == 200
    assert answer.content_type == "application/json"
    body = body_of(answer)
    assert body.pop("data")
    assert body == {"ok": True, "truncated": False, "continuation": None}


@pytest.mark.parametrize(
    ("tool", "body", "status", "code"),
    [
        ("append_files", BODY, 404, "UNKNOWN_TOOL"),
        ("append_file", b"", 422, "INVALID_ARGS"),
        ("append_file", b"[1]", 422, "INVALID_ARGS"),
        ("append_file", b'{"path": "a.txt"}', 422, "INVALID_ARGS"),
        ("append_file", b'{"path": "a.txt", "line": 7}', 422, "INVALID_ARGS"),
        ("read_file", b'{"path": "none.txt"}', 500, "TOOL_FAILED"),
    ],
)
async def test_a_call_that_cannot_be_done_changes_nothing_and_says_why(
    tool, body, status, code, open_play
):
    play = open_play()
    answer = await play.call(tool, body)
    said = body_of(answer)
    assert (answer.status, said["ok"], said["code"]) == (status, False, code)
    assert said["message"]
    assert play.only(CallAnswered).outcome == "failed"
    assert play.events(EffectApplied) == []


async def test_a_504_after_the_effect_hides_that_it_happened(open_play):
    play = open_play(faults=(KINDS["gateway_timeout_after_effect"](at="tool append_file"),))
    answer = await play.call()

    assert (answer.status, answer.content_type) == (504, "text/html")
    assert b"504 Gateway Time-out" in answer.body
    assert play.only(CallAnswered).outcome == "unknown"
    assert len(play.stage.ledger) == 1


async def test_a_504_before_the_effect_looks_the_same_and_nothing_happened(open_play):
    play = open_play(faults=(KINDS["gateway_timeout_before_effect"](at="tool append_file"),))
    answer = await play.call()

    assert (answer.status, answer.content_type) == (504, "text/html")
    assert play.only(CallAnswered).outcome == "unknown"
    assert len(play.stage.ledger) == 0


async def test_a_tool_that_raises_says_so_and_changes_nothing(open_play):
    play = open_play(faults=(KINDS["tool_exception"](at="tool append_file", message="boom"),))
    answer = await play.call()

    assert (answer.status, body_of(answer)["message"]) == (500, "boom")
    assert len(play.stage.ledger) == 0


async def test_a_huge_output_is_sent_in_full_and_kept_in_part(open_play):
    play = open_play(faults=(KINDS["huge_output"](at="tool read_file", bytes=100_000),))
    answer = await play.call("read_file", b'{"path": "a.txt"}')

    assert len(body_of(answer)["data"]) >= 100_000
    assert len(play.only(CallAnswered).body) == 4_000


async def test_a_tool_fault_strikes_from_its_invocation_on(open_play):
    play = open_play(faults=(KINDS["tool_exception"](at="tool append_file 2", times=2),))
    await play.call("append_file", b"{}")  # not a call of the tool: its arguments do not fit

    statuses = [(await play.call()).status for _ in range(4)]

    assert statuses == [200, 500, 500, 200]


async def test_a_hanging_tool_waits_for_its_client_to_let_go(open_play):
    play = open_play(faults=(KINDS["tool_hang"](at="tool append_file"),))
    gone = asyncio.Event()
    task = asyncio.create_task(play.call(gone=gone))
    assert await play.is_held(task)

    gone.set()

    assert await task is None
    assert play.only(CallAbandoned).stopped
    assert len(play.stage.ledger) == 0


async def test_a_slow_tool_goes_on_when_the_gate_opens(open_play):
    play = open_play(faults=(KINDS["tool_slow"](at="tool append_file"),))
    task = asyncio.create_task(play.call())
    assert await play.is_held(task)
    assert len(play.stage.ledger) == 0

    play.stage.open_gate()
    play.stage.open_gate()

    assert (await task).status == 200
    assert play.events(GateOpened, EffectApplied) == ["gate_opened", "effect_applied"]


async def test_a_slow_tool_that_is_let_go_of_stops(open_play):
    play = open_play(faults=(KINDS["tool_slow"](at="tool append_file"),))
    gone = asyncio.Event()
    task = asyncio.create_task(play.call(gone=gone))
    assert await play.is_held(task)

    gone.set()
    assert await task is None
    play.stage.open_gate()
    await play.stage.settled()

    assert play.only(CallAbandoned).stopped
    assert len(play.stage.ledger) == 0


async def test_a_deaf_tool_that_is_let_go_of_has_its_effect_late(open_play):
    play = open_play(faults=(KINDS["not_cancellable"](at="tool append_file"),))
    gone = asyncio.Event()
    task = asyncio.create_task(play.call(gone=gone))
    assert await play.is_held(task)
    gone.set()
    assert await play.is_held(task)

    play.stage.open_gate()

    await play.stage.settled()
    assert await task is None
    assert play.events(CallAbandoned, GateOpened, EffectApplied, CallAnswered) == [
        "call_abandoned",
        "gate_opened",
        "effect_applied",
    ]
    assert not play.only(CallAbandoned).stopped


async def test_work_that_cannot_be_stopped_can_be_let_go_of_alone(open_play):
    play = open_play(
        faults=(
            KINDS["not_cancellable"](at="tool append_file"),
            KINDS["tool_slow"](at="tool run_command"),
        )
    )
    deaf = asyncio.create_task(play.call())
    slow = asyncio.create_task(play.call("run_command", b'{"command": "npm test"}'))
    assert await play.is_held(deaf)

    play.stage.open_gate_for_deaf()

    assert (await deaf).status == 200
    assert await play.is_held(slow)
    assert play.events(GateOpened, EffectApplied) == ["gate_opened", "effect_applied"]


async def test_without_work_that_cannot_be_stopped_the_gate_stays_shut(open_play):
    play = open_play(faults=(KINDS["tool_slow"](at="tool append_file"),))
    task = asyncio.create_task(play.call())
    assert await play.is_held(task)

    play.stage.open_gate_for_deaf()

    assert await play.is_held(task)
    assert play.events(GateOpened) == []


async def test_what_is_deaf_and_was_let_go_of_waits_for_the_end_of_its_start(open_play):
    play = open_play(faults=(KINDS["not_cancellable"](at="tool append_file"),))
    gone = asyncio.Event()
    task = asyncio.create_task(play.call(gone=gone))
    assert await play.is_held(task)
    gone.set()
    assert await play.is_held(task)

    play.stage.open_gate_for_deaf()

    assert await play.is_held(task)
    assert play.events(GateOpened) == []


# --- faults are told where they are felt ------------------------------------------------------

FELT = {
    "gateway_timeout_before_effect": ["fault_fired", "call_answered"],
    "gateway_timeout_after_effect": ["effect_applied", "fault_fired", "call_answered"],
    "tool_exception": ["fault_fired", "call_answered"],
    "huge_output": ["effect_applied", "fault_fired", "call_answered"],
    "tool_hang": ["fault_fired", "call_held", "call_abandoned"],
    "tool_slow": ["fault_fired", "call_held", "call_abandoned"],
    "tool_finishes_last": ["fault_fired", "call_held", "effect_applied", "call_answered"],
    "not_cancellable": ["fault_fired", "call_held", "call_abandoned", "effect_applied"],
    "lost_reply": ["effect_applied", "fault_fired", "call_answered"],
    "request_delivered_twice": [
        "effect_applied",
        "fault_fired",
        "effect_applied",
        "call_answered",
    ],
    "answer_delivered_twice": ["effect_applied", "fault_fired", "call_answered"],
    "truncated_output": ["effect_applied", "fault_fired", "call_answered"],
    "binary_output": ["effect_applied", "fault_fired", "call_answered"],
    "lone_surrogates": ["effect_applied", "fault_fired", "call_answered"],
}
FIELDS = {"tool_exception": {"message": "boom"}, "truncated_output": {"chars": 5}}


@pytest.mark.parametrize("kind", FELT)
async def test_a_fault_is_written_down_where_it_is_felt(kind, open_play):
    play = open_play(faults=(KINDS[kind](at="tool append_file", **FIELDS.get(kind, {})),))
    gone = asyncio.Event()
    task = asyncio.create_task(play.call(gone=gone))
    await play.is_held(task)
    gone.set()
    await play.is_held(task)
    play.stage.open_gate()
    await task

    told = [event for event in play.events()[2:] if event != "gate_opened"]
    assert told == FELT[kind]


@pytest.mark.parametrize("kind", ["gateway_timeout_after_effect", "huge_output", "lost_reply"])
async def test_an_answer_that_nobody_gets_is_no_fault(kind, open_play):
    gone = asyncio.Event()
    trigger = Trigger(at="after_effect", do="cancel")
    play = open_play(faults=(KINDS[kind](at="tool append_file"),), triggers=(trigger,))
    play.deeds.on_cancel = gone.set

    assert await play.call(gone=gone) is None

    assert play.events(FaultFired) == []
    assert play.stage.unfired_faults() == (0,)


async def test_an_own_command_can_be_held_but_nobody_answers_in_its_place(open_play):
    fault = KINDS["gateway_timeout_after_effect"](at="tool run_command")
    play = open_play(commands="own", tier="real", faults=(fault,))
    number = await play.stage.own_began(1, "ls")
    await play.stage.own_ended(number, applied=await play.stage.own_held(number, asyncio.Event()))

    assert play.only(CallAnswered).status == 200
    assert play.stage.unfired_faults() == (0,)
