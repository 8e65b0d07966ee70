"""The fake app's replies: each story is told in process and over a socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import (
    Refused,
    Replied,
    ReplyClosed,
)

from .carried import (
    APPEND,
    Carry,
    Scene,
    carried,
    plan,
)


@carried
def test_a_streamed_reply_comes_piece_by_piece(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        arrived: list[str] = []
        async with scene.client.stream(
            "POST", "v1/chat/completions", json=scene.request()
        ) as response:
            assert response.headers["content-type"].startswith("text/event-stream")
            async for line in response.aiter_lines():
                arrived += [line] if line else []
        assert len(arrived) > 5
        assert arrived[-1] == "data: [DONE]"
        (closed,) = scene.seen(ReplyClosed)
        (replied,) = scene.seen(Replied)
        assert closed.outcome == "sent"
        assert closed.calls_complete == (replied.calls[0].id,)

    carry(story, plan())


@carried
def test_the_client_has_the_pieces_that_were_sent_before_a_stall(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        arrived = b""
        async with scene.client.stream(
            "POST", "v1/chat/completions", json=scene.request()
        ) as response:
            pieces = response.aiter_raw()
            while arrived.count(b"\n\n") < 2:
                arrived += await anext(pieces)
            assert scene.seen(ReplyClosed) == []
        await _until(lambda: scene.seen(ReplyClosed) != [])
        assert scene.seen(ReplyClosed)[0].outcome == "client_gone"

    carry(story, plan(KINDS["stall"](at="step 1", after_deltas=2, seconds=None)))


async def _until(true: Callable[[], bool]) -> None:
    """Let the other side of a connection take its turn, as often as it needs."""
    while not true():
        await asyncio.sleep(0)


@carried
def test_a_whole_reply_comes_in_one_body(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.ask(stream=False)
        (choice,) = response.json()["choices"]
        assert choice["finish_reason"] == "tool_calls"
        assert choice["message"]["tool_calls"][0]["function"]["arguments"] == json.dumps(
            APPEND, separators=(",", ":")
        )
        assert [closed.outcome for closed in scene.seen(ReplyClosed)] == ["sent"]

    carry(story, plan())


@carried
def test_a_reset_is_a_read_error_for_the_client(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        with pytest.raises(httpx.ReadError):
            await scene.ask()
        assert [closed.outcome for closed in scene.seen(ReplyClosed)] == ["reset"]

    carry(story, plan(KINDS["reset_mid_stream"](at="step 1", after_deltas=2)))


@carried
def test_a_reply_without_its_finish_is_still_properly_framed(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.ask()
        assert '"finish_reason":null' in response.text.replace(" ", "")
        assert "[DONE]" not in response.text
        (closed,) = scene.seen(ReplyClosed)
        assert (closed.outcome, len(closed.calls_complete)) == ("cut", 1)

    carry(story, plan(KINDS["ends_without_finish"](at="step 1")))


@carried
@pytest.mark.parametrize(
    "url",
    [
        "v1beta/models/m:generateContent",
        "v1beta/models/m:streamGenerateContent?alt=sse",
        "v1beta/models/m:streamGenerateContent",
    ],
)
@pytest.mark.parametrize(
    ("faults", "is_said"),
    [
        ((), True),
        ((KINDS["empty_arguments"](at="step 1"),), True),
        ((KINDS["double_encoded"](at="step 1"),), False),
        ((KINDS["glued_objects"](at="step 1", second=APPEND),), False),
        ((KINDS["truncated_arguments"](at="step 1"),), False),
    ],
)
def test_a_call_that_the_dialect_has_no_form_for_is_not_delivered(
    carry: Carry, url: str, faults: tuple[Any, ...], is_said: bool
) -> None:
    async def story(scene: Scene) -> None:
        body = {
            "contents": [{"role": "user", "parts": [{"text": scene.input}]}],
            "tools": [{"functionDeclarations": [{"name": "append_file"}]}],
        }
        response = await scene.client.post(url, json=body, headers={"x-goog-api-key": "k"})
        assert ('"functionCall"' in response.text) == is_said
        (replied,) = scene.seen(Replied)
        (closed,) = scene.seen(ReplyClosed)
        assert closed.outcome == "sent"
        assert closed.calls_complete == ((replied.calls[0].id,) if is_said else ())

    carry(story, plan(*faults))


@carried
@pytest.mark.parametrize("stream", [False, True])
def test_a_call_that_is_no_json_is_delivered_where_the_dialect_says_its_text(
    carry: Carry, stream: bool
) -> None:
    async def story(scene: Scene) -> None:
        await scene.ask(stream=stream)
        (closed,) = scene.seen(ReplyClosed)
        assert len(closed.calls_complete) == 1

    carry(story, plan(KINDS["glued_objects"](at="step 1", second=APPEND)))


@carried
def test_a_stall_ends_and_the_reply_goes_on(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        began = asyncio.get_running_loop().time()
        response = await scene.ask()
        assert asyncio.get_running_loop().time() - began >= 0.02
        assert response.text.rstrip().endswith("[DONE]")

    carry(story, plan(KINDS["stall"](at="step 1", after_deltas=2, seconds=0.02)))


@carried
def test_a_client_that_gives_up_during_a_stall_is_noticed(carry: Carry) -> None:
    async def story(scene: Scene) -> None:
        with pytest.raises(httpx.ReadTimeout):
            await scene.ask(timeout=0.05)
        await _until(lambda: scene.seen(ReplyClosed) != [])
        (closed,) = scene.seen(ReplyClosed)
        assert (closed.outcome, closed.calls_complete) == ("client_gone", ())

    carry(story, plan(KINDS["stall"](at="step 1", after_deltas=2, seconds=None)))


@carried
@pytest.mark.parametrize(
    ("fault", "status", "headers", "body"),
    [
        (
            KINDS["rate_limited"](at="step 1", retry_after_s=3),
            *(429, {"retry-after": "3", "content-type": "application/json"}, '"error"'),
        ),
        (
            KINDS["server_error"](at="step 1"),
            *(500, {"content-type": "application/json"}, '"error"'),
        ),
        (KINDS["gateway_timeout"](at="step 1"), 504, {"content-type": "text/html"}, "<html>"),
    ],
)
def test_an_injected_failure_looks_like_the_providers(
    carry: Carry, fault: Any, status: int, headers: dict[str, str], body: str
) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.ask()
        assert response.status_code == status
        assert headers.items() <= response.headers.items()
        assert body in response.text
        assert (await scene.ask()).status_code == 200

    carry(story, plan(fault))


@carried
@pytest.mark.parametrize("body", [b"{", b"[]", b'{"model": "m"}', b"\xff"])
def test_a_body_that_is_no_request_gets_the_providers_own_400(carry: Carry, body: bytes) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.client.post("v1/chat/completions", content=body)
        assert response.status_code == 400
        assert response.json()["error"]["type"] == "invalid_request_error"
        assert len(scene.seen(Refused)) == 1

    carry(story, plan())
