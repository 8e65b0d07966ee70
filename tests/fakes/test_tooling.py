"""Tool calls: what comes back, what has happened, and what the history says of both."""

import asyncio
import json

import pytest

from faultloop.fakes import clock
from faultloop.fakes.answers import ToolAnswer
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import (
    CallAbandoned,
    CallAnswered,
    CallArrived,
    EffectApplied,
    GateOpened,
)

BODY = b'{"path": "a.txt", "line": "x"}'


# --- tools ------------------------------------------------------------------------------------


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


async def test_a_command_takes_its_virtual_seconds_in_sim(open_play):
    play = open_play(tier="sim")
    await play.call("run_command", b'{"command": "npm test"}')

    assert clock.sim_loop().time() == 5
    assert len(play.stage.ledger) == 1


async def test_a_command_that_takes_time_waits_at_the_gate_in_the_real_tier(open_play):
    play = open_play(tier="real")
    task = asyncio.create_task(play.call("run_command", b'{"command": "npm test"}'))
    assert await play.is_held(task)

    play.stage.open_gate()

    assert (await task).status == 200


async def test_a_command_that_is_let_go_of_stops(open_play):
    play = open_play()
    gone = asyncio.Event()
    task = asyncio.create_task(play.call("run_command", b'{"command": "npm test"}', gone=gone))
    asyncio.get_running_loop().call_later(2, gone.set)

    assert await task is None
    assert clock.sim_loop().time() == 2
    assert len(play.stage.ledger) == 0


async def test_a_play_is_settled_only_when_no_call_is_under_way(open_play):
    play = open_play()
    await play.stage.settled()
    task = asyncio.create_task(play.call("run_command", b'{"command": "npm test"}'))
    await asyncio.wait({task}, timeout=1)

    await play.stage.settled()

    assert clock.sim_loop().time() == 5


# --- commands that the subject runs itself ----------------------------------------------------


async def test_an_own_command_that_ends_has_its_effect(open_play):
    play = open_play(commands="own", tier="real")
    number = await play.stage.own_began(1, "npm test")
    task = asyncio.create_task(play.stage.own_held(number, asyncio.Event()))
    assert await play.is_held(task)
    play.stage.open_gate()

    await play.stage.own_ended(number, applied=await task)

    assert play.only(CallArrived).own
    assert play.only(EffectApplied).what == "wrote coverage/"
    assert play.only(CallAnswered).outcome == "ok"


async def test_an_own_command_that_dies_with_its_parent_has_none(open_play):
    play = open_play(commands="own", tier="real")
    gone = asyncio.Event()
    number = await play.stage.own_began(1, "npm test")
    task = asyncio.create_task(play.stage.own_held(number, gone))
    assert await play.is_held(task)
    gone.set()

    await play.stage.own_ended(number, applied=await task)

    await play.stage.settled()
    assert play.only(CallAbandoned).stopped
    assert len(play.stage.ledger) == 0


async def test_an_own_command_that_is_deaf_has_its_effect_late(open_play):
    play = open_play(
        commands="own", tier="real", faults=(KINDS["not_cancellable"](at="tool run_command"),)
    )
    gone = asyncio.Event()
    number = await play.stage.own_began(1, "ls")
    task = asyncio.create_task(play.stage.own_held(number, gone))
    gone.set()
    assert await play.is_held(task)
    play.stage.open_gate()

    await play.stage.own_ended(number, applied=await task)

    assert play.events(CallAbandoned, GateOpened, CallAnswered) == [
        "call_abandoned",
        "gate_opened",
    ]


async def test_own_commands_are_offered_as_the_subjects_own(open_play):
    play = open_play(commands="own")
    tools = {tool["name"]: tool["annotations"] for tool in play.stage.manifest()}
    assert tools["run_command"]["faultloop/runs"] == "subject"
    assert "faultloop/runs" not in tools["append_file"]
