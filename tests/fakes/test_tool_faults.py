"""Tool faults as a raw client sees them over HTTP; told in process and over a socket."""

from __future__ import annotations

import json

import httpx
import pytest

from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.armed import Armed
from faultloop.fakes.history import CallAnswered, EffectApplied, FaultFired
from faultloop.fakes.tooling.drift import drifted
from faultloop.fakes.world.tool import parameters as form

from .carried import APPEND, Carry, Scene, carried, plan

READ = {"path": "a.txt"}
LINE = str(APPEND["line"])


async def called(scene: Scene, tool: str, args: dict[str, object]) -> httpx.Response:
    return await scene.client.post(f"tools/{tool}", json=args, headers={"idempotency-key": "k"})


async def data(scene: Scene, tool: str, args: dict[str, object]) -> str:
    return str((await called(scene, tool, args)).json()["data"])


def fired(scene: Scene) -> list[int | None]:
    """The invocations at which a fault was felt."""
    return [entry.invocation for entry in scene.seen(FaultFired)]


@carried
def test_a_lost_reply_is_an_effect_and_a_reset(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        with pytest.raises(httpx.ReadError):
            await called(scene, "append_file", APPEND)
        assert len(scene.stage.ledger.effects) == 1
        (answered,) = scene.seen(CallAnswered)
        assert (answered.status, answered.outcome, answered.body) == (0, "unknown", "")
        assert answered.how == "by a broken connection"
        assert fired(scene) == [1]
        await scene.stage.settled()
        assert LINE in await data(scene, "read_file", READ)

    carry(story, plan(KINDS["lost_reply"](at="tool append_file")))


@carried
def test_a_request_that_is_delivered_twice_has_two_effects_and_one_answer(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        told = await data(scene, "append_file", APPEND)
        assert told == "Done: appended 1 line to a.txt, which now has 1."
        assert [effect.invocation for effect in scene.stage.ledger.effects] == [1, 1]
        assert len(scene.seen(EffectApplied)) == 2
        assert (await data(scene, "read_file", READ)).count(LINE) == 2

    carry(story, plan(KINDS["request_delivered_twice"](at="tool append_file")))


@carried
def test_what_fails_the_second_time_is_answered_as_it_went_the_first_time(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        await called(scene, "append_file", APPEND)
        told = await data(scene, "edit_file", {**READ, "old": LINE, "new": "short"})
        assert told.startswith("Done")
        assert len(scene.stage.ledger.effects) == 2
        assert fired(scene) == [2]

    carry(story, plan(KINDS["request_delivered_twice"](at="tool edit_file")))


@carried
def test_an_answer_that_arrives_twice_stands_in_the_body_two_times(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        response = await called(scene, "append_file", APPEND)
        first, second = response.text.split("\n")
        assert first == second
        assert json.loads(first)["ok"]
        assert int(response.headers["content-length"]) == len(response.content)
        assert len(scene.stage.ledger.effects) == 1
        assert fired(scene) == [1]

    carry(story, plan(KINDS["answer_delivered_twice"](at="tool append_file")))


@carried
def test_a_stale_read_tells_what_was_there_before_the_last_effect(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        await called(scene, "append_file", {**APPEND, "line": "one"})
        await called(scene, "append_file", {**APPEND, "line": "two"})
        assert await data(scene, "read_file", READ) == "one\n"
        assert await data(scene, "read_file", READ) == "one\ntwo\n"
        assert len(scene.stage.ledger.effects) == 2
        assert fired(scene) == [3]

    carry(story, plan(KINDS["stale_read"](at="tool read_file")))


@carried
def test_a_stale_read_can_miss_the_file_itself(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        await called(scene, "append_file", APPEND)
        response = await called(scene, "read_file", READ)
        assert (response.status_code, response.json()["code"]) == (500, "TOOL_FAILED")
        assert "There is no file 'a.txt'" in response.json()["message"]
        assert LINE in await data(scene, "read_file", READ)

    carry(story, plan(KINDS["stale_read"](at="tool read_file")))


@carried
@pytest.mark.parametrize("tool", ["list_files", "append_file"])
def test_a_stale_read_of_what_has_not_changed_is_no_fault(carry: Carry, tool: str) -> None:
    async def story(scene: Scene) -> None:
        await called(scene, tool, APPEND if tool == "append_file" else {})
        assert fired(scene) == []
        assert scene.stage.unfired_faults() == (0,)

    carry(story, plan(KINDS["stale_read"](at=f"tool {tool}")))


@carried
def test_a_truncated_output_comes_in_pieces_for_a_cursor(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        listed = (await scene.client.get("tools")).json()
        with_cursor = [t["name"] for t in listed if "cursor" in t["parameters"]["properties"]]
        assert with_cursor == ["read_file"]
        await called(scene, "append_file", {**APPEND, "line": "0123456789"})
        pieces, more = "", {}
        for _ in range(3):
            answer = (await called(scene, "read_file", {**READ, **more})).json()
            pieces += answer["data"]
            more = {"cursor": answer["continuation"]}
        assert pieces == "0123456789\n"
        assert (answer["truncated"], answer["continuation"]) == (False, None)
        assert fired(scene) == [2]

    carry(story, plan(KINDS["truncated_output"](at="tool read_file", chars=4)))


@carried
@pytest.mark.parametrize("cursor", ["0", "3", "99", "next", ""])
def test_a_cursor_that_was_never_given_is_refused_in_a_sentence(carry: Carry, cursor: str) -> None:
    async def story(scene: Scene) -> None:
        await called(scene, "append_file", {**APPEND, "line": "0123456789"})
        await called(scene, "read_file", READ)
        response = await called(scene, "read_file", {**READ, "cursor": cursor})
        assert (response.status_code, response.json()["code"]) == (500, "TOOL_FAILED")
        assert f"goes on at {cursor!r}" in response.json()["message"]

    carry(story, plan(KINDS["truncated_output"](at="tool read_file", chars=4)))


@carried
def test_an_output_that_is_short_enough_is_not_cut(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        answer = (await called(scene, "list_files", {})).json()
        assert (answer["truncated"], answer["continuation"]) == (False, None)
        assert scene.stage.unfired_faults() == (0,)

    carry(story, plan(KINDS["truncated_output"](at="tool list_files", chars=400)))


@carried
def test_a_binary_output_is_no_text_at_all(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        response = await called(scene, "append_file", APPEND)
        assert response.status_code == 200
        assert response.headers["content-type"] == "application/octet-stream"
        assert len(response.content) == 600
        assert response.content.startswith(b"\x89PNG\r\n\x1a\n\x00")
        with pytest.raises(UnicodeDecodeError):
            response.content.decode()
        assert len(scene.stage.ledger.effects) == 1
        assert scene.seen(CallAnswered)[0].outcome == "ok"

    carry(story, plan(KINDS["binary_output"](at="tool append_file")))


@carried
def test_half_a_surrogate_pair_is_escaped_in_json_and_cannot_be_encoded(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        response = await called(scene, "append_file", APPEND)
        assert rb"\ud83d" in response.content
        told = json.loads(response.content)["data"]
        assert told.endswith("\ud83d")
        with pytest.raises(UnicodeEncodeError):
            told.encode()

    carry(story, plan(KINDS["lone_surrogates"](at="tool append_file")))


# --- drift ----------------------------------------------------------------------------------


async def parameters(scene: Scene, tool: str) -> dict[str, list[str]]:
    listed = (await scene.client.get("tools")).json()
    schema = next(one["parameters"] for one in listed if one["name"] == tool)
    return {"properties": [*schema["properties"]], "required": schema["required"]}


RENAMED = KINDS["schema_drift"](at="tool append_file", parameter="path", renamed="file")
OLD = {"properties": ["path", "line"], "required": ["path", "line"]}
NEW = {"properties": ["file", "line"], "required": ["file", "line"]}


@carried
def test_a_drift_shows_in_the_second_listing_and_refuses_the_old_form(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        assert await parameters(scene, "append_file") == OLD
        response = await called(scene, "append_file", APPEND)
        assert (response.status_code, response.json()["code"]) == (422, "INVALID_ARGS")
        assert "'path' is now called 'file'; list the tools again" in response.json()["message"]
        assert await parameters(scene, "append_file") == NEW
        renamed = {"file": "a.txt", "line": "x"}
        assert (await called(scene, "append_file", renamed)).status_code == 200
        assert await data(scene, "read_file", READ) == "x\n"
        (effect,) = scene.stage.ledger.effects
        assert json.loads(effect.arguments) == {"path": "a.txt", "line": "x"}
        assert fired(scene) == [1]

    carry(story, plan(RENAMED))


@carried
def test_a_drift_lets_the_calls_before_its_place_pass(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        assert await parameters(scene, "append_file") == OLD
        assert (await called(scene, "append_file", APPEND)).status_code == 200
        assert await parameters(scene, "append_file") == OLD
        assert (await called(scene, "append_file", APPEND)).status_code == 200
        assert await parameters(scene, "append_file") == NEW
        assert fired(scene) == [None]
        assert (await called(scene, "append_file", APPEND)).status_code == 422

    drift = KINDS["schema_drift"](at="tool append_file 3", parameter="path", renamed="file")
    carry(story, plan(drift))


def test_a_drift_that_its_chance_leaves_out_never_happens() -> None:
    rare = KINDS["schema_drift"](at="tool append_file", parameter="path", renamed="f", chance=1e-9)
    armed = Armed((RENAMED, rare), seed=1)
    assert [index for index, _, _ in armed.standing("append_file")] == [0]
    assert armed.tool("append_file", 1) is None


@carried
def test_a_parameter_can_become_one_that_must_be_given(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        assert (await parameters(scene, "delete_files"))["required"] == []
        response = await called(scene, "delete_files", {})
        assert response.status_code == 422
        assert "'dir' must be given" in response.json()["message"]
        assert (await called(scene, "delete_files", {"dir": "x"})).status_code == 200
        assert (await parameters(scene, "delete_files"))["required"] == ["dir"]

    carry(story, plan(KINDS["schema_drift"](at="tool delete_files", parameter="dir")))


@carried
def test_arguments_that_were_never_right_are_not_blamed_on_the_drift(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        await scene.client.get("tools")
        message = (await called(scene, "append_file", {"line": 7})).json()["message"]
        assert "have changed" not in message
        assert fired(scene) == []

    carry(story, plan(RENAMED))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"parameter": "colour"}, "there is no parameter 'colour' that could change; there are p"),
        ({"parameter": "path", "renamed": "line"}, "there is a parameter 'line' already"),
        ({"parameter": "path"}, "'path' must be given already, so nothing would change"),
    ],
)
def test_a_drift_that_changes_nothing_is_refused(fields: dict[str, str], sentence: str) -> None:
    properties = {"path": {"type": "string"}, "line": {"type": "string"}}
    fault = KINDS["schema_drift"](at="tool append_file", **fields)
    with pytest.raises(ValueError, match="^" + sentence):
        drifted(form(("path", "line"), **properties), fault.gateway().drift)
