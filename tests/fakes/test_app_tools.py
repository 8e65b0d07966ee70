"""The fake app's tools, and what is not there; each story told in process and over a socket."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import (
    CallAbandoned,
    CallAnswered,
    CallArrived,
)
from faultloop.fakes.landmarks import Trigger

from .carried import (
    APPEND,
    Carry,
    Scene,
    carried,
    plan,
)

# --- tools ----------------------------------------------------------------------------------


@carried
def test_the_tools_are_listed_and_called(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        listed = (await scene.client.get("tools")).json()
        assert [tool["name"] for tool in listed][:2] == ["read_file", "list_files"]
        assert listed[0].keys() == {"name", "description", "parameters", "annotations"}
        response = await scene.client.post(
            "tools/append_file", json=APPEND, headers={"X-Call-Id": "c", "Idempotency-Key": "k"}
        )
        assert (response.status_code, response.json()["ok"]) == (200, True)
        (arrived,) = scene.seen(CallArrived)
        assert (arrived.start, arrived.call_id, arrived.key) == (1, "c", "k")
        assert [effect.key for effect in scene.stage.ledger.effects] == ["k"]

    carry(story, plan())


@carried
@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("tools/apend_file", b"{}", 404, "UNKNOWN_TOOL"),
        ("tools/append_file", b"{}", 422, "INVALID_ARGS"),
        ("tools/append_file", b"{", 422, "INVALID_ARGS"),
        *(
            (
                f"tools/{tool}",
                b'{"path": ' + b"[" * depth + b"]" * depth + b"}",
                422,
                "INVALID_ARGS",
            )
            for tool in ("read_file", "list_files", "write_file", "append_file", "edit_file")
            for depth in (900, 5000)
        ),
        ("tools/read_file", b'{"path": "none"}', 500, "TOOL_FAILED"),
    ],
)
def test_a_call_that_cannot_be_done_is_answered_as_the_contract_says(
    carry: Carry, path: str, body: bytes, status: int, code: str
) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.client.post(path, content=body)
        assert response.status_code == status
        answer = response.json()
        assert (answer["ok"], answer["code"], answer["retryable"]) == (False, code, False)
        assert answer["message"]
        assert scene.app.failures == {}

    carry(story, plan())


@carried
@pytest.mark.parametrize(
    ("kind", "effects"),
    [("gateway_timeout_before_effect", 0), ("gateway_timeout_after_effect", 1)],
)
def test_a_gateways_504_is_html_and_does_not_say_what_happened(
    carry: Carry, kind: str, effects: int
) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.client.post("tools/append_file", json=APPEND)
        assert response.status_code == 504
        assert response.headers["content-type"].startswith("text/html")
        assert len(scene.stage.ledger.effects) == effects

    carry(story, plan(KINDS[kind](at="tool append_file")))


@carried
def test_a_held_call_stops_when_the_client_lets_go(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        call = asyncio.create_task(scene.client.post("tools/append_file", json=APPEND))
        await scene.landmark.wait()
        call.cancel()
        await scene.stage.settled()
        (abandoned,) = scene.seen(CallAbandoned)
        assert abandoned.stopped
        scene.stage.open_gate()
        assert scene.seen(CallAnswered) == []
        assert scene.stage.ledger.effects == []

    carry(
        story,
        plan(
            KINDS["tool_slow"](at="tool append_file"),
            triggers=(Trigger(at="call_arrived", do="steer"),),
        ),
    )


# --- what is not there ----------------------------------------------------------------------


@carried
@pytest.mark.parametrize(
    ("method", "url", "status", "sentence"),
    [
        ("GET", "/", 404, "no such path: /"),
        ("GET", "/v1/models", 404, "/r/PLAY/START/tools and /r/PLAY/START/mcp"),
        ("GET", "/r/p/one/tools", 404, "no such path"),
        pytest.param("GET", f"/r/p/{'9' * 5000}/v1/models", 404, "no such path", id="long start"),
        ("GET", "/r/p/²/tools", 404, "no such path"),
        ("GET", "/r/q/1/tools", 404, "no play 'q' is on"),
        ("POST", "v1/completions", 404, "there are /v1/chat/completions, /v1/models, "),
        ("GET", "v1/chat/completions", 405, "/v1/chat/completions takes POST, not GET"),
        ("POST", "tools", 405, "/tools takes GET, not POST"),
        ("GET", "tools/append_file", 405, "takes POST"),
    ],
)
def test_what_is_not_there_is_refused_in_a_sentence(
    carry: Carry, method: str, url: str, status: int, sentence: str
) -> None:
    async def story(scene: Scene) -> None:
        base = str(scene.client.base_url)
        target = base.split("/r/")[0] + url if url.startswith("/") else url
        response = await scene.client.request(method, target)
        assert response.status_code == status
        assert sentence in response.json()["error"]["message"]
        assert len(scene.stage.history) == 1  # nothing but the start

    carry(story, plan())


@carried
@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "shape"),
    [
        ("POST", "v1beta/models/m:generateAnswer", {}, 404, {"status": "NOT_FOUND"}),
        ("POST", "v1beta/models/m:batchGenerateContent", {}, 404, {"status": "NOT_FOUND"}),
        ("POST", "v1beta/models/m:generateContent:generateContent", {}, 404, {"code": 404}),
        ("POST", "v1beta/models/:generateContent", {}, 404, {"code": 404}),
        ("POST", "v1beta/models/m:", {}, 404, {"code": 404}),
        ("GET", "v1beta/files", {}, 404, {"code": 404}),
        ("POST", "v1beta/models/m", {}, 405, {"code": 405}),
        ("POST", "v1/models/m:generateAnswer", {"x-goog-api-key": "k"}, 404, {"code": 404}),
        ("GET", "v1/messages", {}, 405, {"type": "invalid_request_error"}),
        ("POST", "v1/messages/batches", {}, 404, {"type": "not_found_error"}),
        ("GET", "v1/files", {"anthropic-version": "x"}, 404, {"type": "not_found_error"}),
        ("GET", "v1/files", {}, 404, {"type": "invalid_request_error", "code": "not_found"}),
        ("GET", "v1/responses", {}, 405, {"type": "invalid_request_error", "param": None}),
    ],
)
def test_who_speaks_a_dialect_is_refused_in_its_form(
    carry: Carry, method: str, path: str, headers: dict[str, str], status: int, shape: Any
) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.client.request(method, path, headers=headers)
        assert response.status_code == status
        error = response.json()["error"]
        assert shape.items() <= error.items()
        assert f"/{path}" in error["message"]
        is_anthropics = response.json().get("type") == "error"
        assert is_anthropics == ("messages" in path or "anthropic-version" in headers)
        assert len(scene.stage.history) == 1  # nothing but the start

    carry(story, plan())


@carried
@pytest.mark.parametrize(
    ("method", "path", "said"),
    [
        ("POST", "v1beta/models/%20:generateContent", "models/  is not found for API version v1b"),
        ("POST", "v1/models/%0d%0aX:generateContent", "or is not supported for generateContent."),
        ("POST", "v1beta/models/-:countTokens", "or is not supported for countTokens. Call List"),
        ("GET", "v1beta/models/%20", "models/  is not found for API version v1beta, or"),
    ],
)
def test_what_is_no_models_name_is_not_found(
    carry: Carry, method: str, path: str, said: str
) -> None:
    async def story(scene: Scene) -> None:
        body = {"contents": [{"role": "user", "parts": [{"text": scene.input}]}]}
        headers = {"x-goog-api-key": "k"}
        response = await scene.client.request(method, path, json=body, headers=headers)
        error = response.json()["error"]
        assert (response.status_code, error["status"]) == (404, "NOT_FOUND")
        assert said in error["message"]

    carry(story, plan())


@carried
def test_there_is_one_model(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        listed = (await scene.client.get("v1/models")).json()
        assert [model["id"] for model in listed["data"]] == ["fake-model"]

    carry(story, plan())


@carried
def test_a_failure_of_the_bench_itself_is_not_hidden(
    carry: Carry, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(scene: Scene) -> None:
        def broken(start: int) -> list[dict[str, Any]]:
            raise ZeroDivisionError("a bug of ours")

        scene.stage.manifest = broken  # type: ignore[method-assign]
        response = await scene.client.get("tools")
        assert response.status_code == 500
        assert response.json()["error"]["code"] == "bench_failure"
        assert [str(error) for error in scene.app.failures["p"]] == ["a bug of ours"]

    carry(story, plan())
