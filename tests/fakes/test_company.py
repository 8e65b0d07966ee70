"""Calls in company: the struck one of a batch finishes last, commands take their time."""

import asyncio

import pytest

from faultloop.fakes import clock
from faultloop.fakes.company import ALONE_S, LEAD_S, QUIET_S
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import (
    CallAbandoned,
    CallAnswered,
    CallArrived,
    CallHeld,
    FaultFired,
)
from faultloop.fakes.script import Script, ScriptedCall, Step

READ = b'{"path": "a.txt"}'


def batch_of_three(open_play, *faults):
    """A play whose first reply makes an append and two reads."""
    calls = (
        ScriptedCall.of("append_file", {"path": "a.txt", "line": "x"}),
        ScriptedCall.of("read_file", {"path": "a.txt"}),
        ScriptedCall.of("read_file", {"path": "a.txt"}),
    )
    script = Script(turns=((Step(calls=calls), Step(say="Done.")), (Step(say="All is done."),)))
    return open_play(faults=faults, script=script)


def order_of(play) -> list[tuple[str, int]]:
    told = (CallArrived, CallHeld, CallAnswered)
    return [
        (type(entry).__struct_config__.tag.removeprefix("call_"), entry.invocation)
        for entry in play.stage.history
        if isinstance(entry, told)
    ]


async def side_by_side(play, said) -> None:
    sent = [
        asyncio.create_task(play.call(call.tool, call.arguments.encode(), call_id=call.id))
        for call in said.reply.calls
    ]
    await asyncio.gather(*sent)


async def test_of_calls_side_by_side_the_struck_one_finishes_last(open_play):
    play = batch_of_three(open_play, KINDS["tool_finishes_last"](at="tool append_file"))
    await side_by_side(play, await play.hear())

    assert [one for what, one in order_of(play) if what == "answered"] == [2, 3, 1]
    assert order_of(play)[:2] == [("arrived", 1), ("held", 1)]
    assert clock.sim_loop().time() == LEAD_S


async def test_a_loop_that_calls_one_by_one_is_seen_to_and_goes_on(open_play):
    play = batch_of_three(open_play, KINDS["tool_finishes_last"](at="tool append_file"))
    said = await play.hear()
    for call in said.reply.calls:
        await play.call(call.tool, call.arguments.encode(), call_id=call.id)

    assert order_of(play) == [
        ("arrived", 1),
        ("held", 1),
        ("answered", 1),
        *[(what, number) for number in (2, 3) for what in ("arrived", "answered")],
    ]
    assert clock.sim_loop().time() == pytest.approx(QUIET_S)


async def test_a_loop_that_calls_one_by_one_is_waited_for_less_from_then_on(open_play):
    every = KINDS["tool_finishes_last"](at="tool read_file", times=2)
    first = KINDS["tool_finishes_last"](at="tool append_file")
    play = batch_of_three(open_play, first, every)
    said = await play.hear()
    for call in said.reply.calls:
        await play.call(call.tool, call.arguments.encode(), call_id=call.id)

    assert clock.sim_loop().time() == pytest.approx(QUIET_S + ALONE_S)


async def test_the_last_of_its_batch_waits_for_nobody(open_play):
    play = batch_of_three(open_play, KINDS["tool_finishes_last"](at="tool read_file 2"))
    said = await play.hear()
    for call in said.reply.calls:
        await play.call(call.tool, call.arguments.encode(), call_id=call.id)

    assert play.only(FaultFired).invocation == 3
    assert clock.sim_loop().time() == 0


async def test_two_that_finish_last_do_not_wait_for_each_other(open_play):
    play = batch_of_three(
        open_play,
        KINDS["tool_finishes_last"](at="tool append_file"),
        KINDS["tool_finishes_last"](at="tool read_file"),
    )
    await side_by_side(play, await play.hear())

    assert next(one for what, one in order_of(play) if what == "answered") == 3
    assert clock.sim_loop().time() == LEAD_S


async def test_whoever_lets_go_of_the_last_one_stops_it(open_play):
    play = batch_of_three(open_play, KINDS["tool_finishes_last"](at="tool append_file"))
    await play.hear()
    gone = asyncio.Event()
    task = asyncio.create_task(play.call(gone=gone))
    asyncio.get_running_loop().call_later(QUIET_S / 2, gone.set)

    assert await task is None
    assert play.only(CallAbandoned).stopped
    assert len(play.stage.ledger) == 0


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
