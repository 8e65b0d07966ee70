"""Calls over MCP that are held, cancelled, or struck by a fault; in process and over a socket."""

from __future__ import annotations

from base64 import b64decode

import httpx
import pytest
from tests.fakes.carried import APPEND, Carry, Scene, carried, plan

from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import (
    CallAbandoned,
    CallAnswered,
    EffectApplied,
    FaultFired,
)

from .talk import Talk, call, messages, request, told

SLOW = KINDS["tool_slow"](at="tool append_file")
DEAF = KINDS["not_cancellable"](at="tool append_file")
HANG = KINDS["tool_hang"](at="tool append_file")


def cancelled(of: object) -> dict[str, object]:
    params = {"requestId": of, "reason": "the user had enough"}
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}


# --- held -------------------------------------------------------------------------------------


@carried
def test_a_held_call_tells_its_progress_and_then_its_result(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        async with talk.posted(call("append_file", APPEND, progressToken="t")) as told:
            first = await anext(told)
            assert first["method"] == "notifications/progress"
            assert (first["params"]["progressToken"], first["params"]["progress"]) == ("t", 0)
            assert scene.stage.ledger.effects == []
            scene.stage.open_gate()
            last, result = [message async for message in told]
            assert (last["params"]["progress"], last["params"]["total"]) == (1, 1)
            assert (result["id"], result["result"]["isError"]) == (1, False)
        assert len(scene.stage.ledger.effects) == 1

    carry(story, plan(SLOW))


@carried
def test_without_a_token_there_is_no_progress_to_tell(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        async with talk.posted(call("append_file", APPEND)) as told:
            scene.stage.open_gate()
            assert [message.get("id") async for message in told] == [1]

    carry(story, plan(SLOW))


@carried
def test_a_cancel_stops_a_held_call_and_nobody_is_answered(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        async with talk.posted(call("append_file", APPEND, number="a", progressToken=0)) as told:
            await anext(told)
            assert (await talk.post(cancelled("b"))).status_code == 202
            assert (await talk.post(cancelled("a"))).status_code == 202
            assert [message async for message in told] == []
        (abandoned,) = scene.seen(CallAbandoned)
        assert abandoned.stopped
        scene.stage.open_gate()
        await scene.stage.settled()
        assert scene.stage.ledger.effects == []
        assert (await talk.post(cancelled("a"))).status_code == 202

    carry(story, plan(SLOW))


@carried
def test_another_session_cannot_cancel_it(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk, stranger = Talk(scene), Talk(scene)
        await talk.hello()
        await stranger.hello()
        async with talk.posted(call("append_file", APPEND, progressToken=0)) as told:
            await anext(told)
            await stranger.post(cancelled(1))
            scene.stage.open_gate()
            assert [message.get("id") async for message in told] == [None, 1]

    carry(story, plan(SLOW))


@carried
def test_work_that_is_deaf_goes_on_after_a_cancel(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        async with talk.posted(call("append_file", APPEND, progressToken=0)) as told:
            await anext(told)
            await talk.post(cancelled(1))
            scene.stage.open_gate()
            assert [message async for message in told] == []
        assert [entry.stopped for entry in scene.seen(CallAbandoned)] == [False]
        assert len(scene.stage.ledger.effects) == 1

    carry(story, plan(DEAF))


@carried
def test_a_tool_that_hangs_is_silent_until_it_is_let_go_of(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        async with talk.posted(call("append_file", APPEND, progressToken=5)) as told:
            assert (await anext(told))["params"]["progressToken"] == 5
            scene.stage.open_gate()
            await talk.post(cancelled(1))
            assert [message async for message in told] == []

    carry(story, plan(HANG))


# --- faults -----------------------------------------------------------------------------------


@carried
@pytest.mark.parametrize(
    ("kind", "effects"),
    [("gateway_timeout_before_effect", 0), ("gateway_timeout_after_effect", 1)],
)
def test_a_gateways_504_stands_in_place_of_the_message(
    carry: Carry, kind: str, effects: int
) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        response = await talk.call("append_file", APPEND)
        assert response.status_code == 504
        assert response.headers["content-type"] == "text/html"
        assert len(scene.stage.ledger.effects) == effects

    carry(story, plan(KINDS[kind](at="tool append_file")))


@carried
def test_a_lost_reply_breaks_the_connection_after_the_effect(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        with pytest.raises(httpx.ReadError):
            await talk.call("append_file", APPEND)
        assert len(scene.stage.ledger.effects) == 1
        assert scene.seen(CallAnswered)[0].status == 0

    carry(story, plan(KINDS["lost_reply"](at="tool append_file")))


@carried
def test_an_answer_that_arrives_twice_is_two_messages_with_one_id(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        response = await talk.post(call("append_file", APPEND, number=9))
        first, second = messages(response.text)
        assert first == second
        assert first["id"] == 9
        assert len(scene.stage.ledger.effects) == 1

    carry(story, plan(KINDS["answer_delivered_twice"](at="tool append_file")))


@carried
def test_a_request_that_is_delivered_twice_is_answered_once(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        assert (await told(talk, "append_file", APPEND))["isError"] is False
        assert len(scene.seen(EffectApplied)) == 2

    carry(story, plan(KINDS["request_delivered_twice"](at="tool append_file")))


@carried
def test_a_stale_read_is_a_good_result(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        for line in ("one", "two"):
            await talk.call("append_file", {"path": "a.txt", "line": line})
        read = [await told(talk, "read_file", {"path": "a.txt"}) for _ in range(2)]
        assert [said["content"][0]["text"] for said in read] == ["one\n", "one\ntwo\n"]

    carry(story, plan(KINDS["stale_read"](at="tool read_file")))


@carried
def test_a_cut_output_says_how_to_go_on_to_model_and_host(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        await talk.call("append_file", {"path": "a.txt", "line": "0123456789"})
        first = await told(talk, "read_file", {"path": "a.txt"})
        assert first["_meta"] == {"faultloop/truncated": True, "faultloop/continuation": "8"}
        assert [block["text"] for block in first["content"]] == [
            "01234567",
            "[cut here; call again with the same arguments and cursor '8' to read on]",
        ]
        rest = await told(talk, "read_file", {"path": "a.txt", "cursor": "8"})
        assert [block["text"] for block in rest["content"]] == ["89\n"]
        assert "_meta" not in rest

    carry(story, plan(KINDS["truncated_output"](at="tool read_file", chars=8)))


@carried
def test_a_binary_output_is_a_resource_with_a_blob(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        (block,) = (await told(talk, "append_file", APPEND))["content"]
        assert block["type"] == "resource"
        assert block["resource"]["mimeType"] == "application/octet-stream"
        assert len(b64decode(block["resource"]["blob"])) == 600

    carry(story, plan(KINDS["binary_output"](at="tool append_file")))


@carried
def test_half_a_surrogate_pair_is_escaped_in_the_message(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        response = await talk.call("append_file", APPEND)
        assert rb"\ud83d" in response.content
        assert response.json()["result"]["content"][0]["text"].endswith("\ud83d")

    carry(story, plan(KINDS["lone_surrogates"](at="tool append_file")))


# --- drift ------------------------------------------------------------------------------------

DRIFT = KINDS["schema_drift"](at="tool append_file 2", parameter="path", renamed="file")


@carried
def test_who_listens_is_told_that_the_list_has_changed(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        await talk.post(request("tools/list"))
        async with talk.listened() as heard:
            await talk.call("append_file", APPEND)
            assert (await anext(heard))["method"] == "notifications/tools/list_changed"
            listed = (await talk.post(request("tools/list"))).json()["result"]["tools"]
            schema = next(tool["inputSchema"] for tool in listed if tool["name"] == "append_file")
            assert schema["required"] == ["file", "line"]
            assert scene.seen(FaultFired)[0].invocation is None
            await scene.client.delete("mcp", headers=talk.headers)
            assert [message async for message in heard] == []
        assert scene.stage.list_changed == []

    carry(story, plan(DRIFT))


@carried
def test_who_does_not_listen_is_told_when_it_calls_in_the_old_form(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        talk = Talk(scene)
        await talk.hello()
        await talk.post(request("tools/list"))
        await talk.call("append_file", APPEND)
        said = await told(talk, "append_file", APPEND)
        assert said["isError"] is True
        assert "'path' is now called 'file'" in said["content"][0]["text"]
        assert len(scene.stage.ledger.effects) == 1

    carry(story, plan(DRIFT))
