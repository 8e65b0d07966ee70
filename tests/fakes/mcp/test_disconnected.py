"""Calls over MCP whose connection is lost: what that says of the call depends on the version."""

from __future__ import annotations

import asyncio

from tests.fakes.carried import APPEND, Carry, Scene, carried, plan

from faultloop.fakes.history import CallAbandoned, CallAnswered, EffectApplied, Entry
from faultloop.fakes.landmarks import Trigger

from .talk import ENVELOPE, META, Talk, call, request
from .test_calls import DEAF, HANG, SLOW, cancelled


async def written(scene: Scene, kind: type[Entry], number: int = 1) -> None:
    """Wait until the history has that many entries of a kind."""
    grown = asyncio.Event()
    scene.stage.history.heard = grown.set
    while len(scene.seen(kind)) < number:
        grown.clear()
        await grown.wait()


async def hung_up(scene: Scene) -> Talk:
    """A client that has closed the connection of its call, once that was under way."""
    talk = Talk(scene)
    await talk.hello()
    async with talk.posted(call("append_file", APPEND, progressToken=0)) as told:
        await anext(told)
    return talk


@carried
def test_closing_the_connection_cancels_nothing(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        await hung_up(scene)
        await written(scene, CallAbandoned)
        assert not scene.stage.is_settled
        scene.stage.open_gate()
        await scene.stage.settled()
        (lost,) = scene.seen(CallAbandoned)
        assert (lost.stopped, lost.unasked) == (False, True)
        (late,) = scene.seen(EffectApplied)
        assert late.position > lost.position
        assert scene.seen(CallAnswered) == []

    carry(story, plan(SLOW))


@carried
def test_a_cancel_stops_it_after_the_connection_was_closed_too(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = await hung_up(scene)
        await written(scene, CallAbandoned)
        await talk.post(cancelled(1))
        await scene.stage.settled()
        scene.stage.open_gate()
        assert [entry.stopped for entry in scene.seen(CallAbandoned)] == [False, True]
        assert scene.stage.ledger.effects == []

    carry(story, plan(SLOW))


@carried
def test_work_that_is_deaf_would_not_have_stopped_either(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = await hung_up(scene)
        await written(scene, CallAbandoned)
        await talk.post(cancelled(1))
        scene.stage.open_gate()
        await scene.stage.settled()
        (lost,) = scene.seen(CallAbandoned)
        assert (lost.stopped, lost.unasked) == (False, False)
        assert len(scene.stage.ledger.effects) == 1

    carry(story, plan(DEAF))


@carried
def test_with_an_envelope_closing_the_connection_lets_go(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        params = {"name": "append_file", "arguments": APPEND, "_meta": {**META, "progressToken": 0}}
        talk = Talk(scene)
        talk.headers |= {"mcp-protocol-version": ENVELOPE, "mcp-method": "tools/call"}
        talk.headers["mcp-name"] = "append_file"
        async with talk.posted(request("tools/call", params)) as told:
            await anext(told)
        await scene.stage.settled()
        (let_go,) = scene.seen(CallAbandoned)
        assert (let_go.stopped, let_go.unasked) == (True, False)
        assert scene.stage.ledger.effects == []

    carry(story, plan(SLOW))


@carried
def test_a_client_that_leaves_before_anything_was_said_cancels_nothing(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        asking = asyncio.create_task(talk.call("append_file", APPEND))
        await scene.landmark.wait()
        asking.cancel()
        await written(scene, CallAbandoned)
        scene.stage.open_gate()
        await scene.stage.settled()
        assert scene.seen(CallAnswered) == []
        assert len(scene.stage.ledger.effects) == 1

    carry(story, plan(SLOW, triggers=(Trigger(at="call_arrived", do="steer"),)))


@carried
def test_nobody_waits_for_a_tool_that_hangs_behind_a_closed_connection(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        async with talk.posted(call("append_file", APPEND, progressToken=5)) as told:
            await anext(told)
            assert not scene.stage.is_settled
        await scene.stage.settled()
        assert [entry.stopped for entry in scene.seen(CallAbandoned)] == [False]
        await talk.post(cancelled(1))
        await written(scene, CallAbandoned, 2)
        assert [entry.stopped for entry in scene.seen(CallAbandoned)] == [False, True]

    carry(story, plan(HANG))


@carried
def test_a_stage_that_closes_ends_what_hangs_behind_a_closed_connection(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        await hung_up(scene)
        await scene.stage.settled()
        await scene.stage.close()
        assert len(scene.seen(CallAbandoned)) == 1

    carry(story, plan(HANG))
