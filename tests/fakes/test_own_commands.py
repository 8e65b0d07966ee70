"""Commands that the subject runs itself."""

import asyncio

from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import (
    CallAbandoned,
    CallAnswered,
    CallArrived,
    EffectApplied,
    GateOpened,
)


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
