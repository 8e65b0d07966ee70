"""The fake app: each story is told twice, through the in-process transport and over a socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import (
    CallAbandoned,
    CallAnswered,
    CallArrived,
    Entry,
    Refused,
    Replied,
    ReplyClosed,
)
from faultloop.fakes.landmarks import Trigger
from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Plan, Stage
from faultloop.fakes.transport import StageTransport
from faultloop.fakes.world.spec import WorldSpec

APPEND = {"path": "a.txt", "line": "a line that is longer than one piece"}
SCRIPT = Script(turns=((Step(say="I write.", calls=(ScriptedCall.of("append_file", APPEND),)),),))
OFFERED = [{"type": "function", "function": {"name": "append_file", "parameters": {}}}]


class NoDeeds:
    """A bench that only listens."""

    def __init__(self) -> None:
        self.heard = asyncio.Event()

    async def kill(self, start: int) -> None:
        raise AssertionError

    async def cancel(self, start: int) -> None:
        raise AssertionError

    async def say(self, start: int, kind: str, text: str) -> None:
        self.heard.set()


class Scene:
    """A play that is on, and a client whose URLs begin at its start."""

    def __init__(self, app: App, stage: Stage, client: httpx.AsyncClient, deeds: NoDeeds) -> None:
        self.app = app
        self.stage = stage
        self.client = client
        self.landmark = deeds.heard
        self.input = stage.begin(1, 0, resume=False)

    def request(self, *, stream: bool = True) -> dict[str, Any]:
        message = {"role": "user", "content": self.input}
        return {"model": "m", "messages": [message], "tools": OFFERED, "stream": stream}

    async def ask(self, *, stream: bool = True, timeout: float = 5) -> httpx.Response:
        body = self.request(stream=stream)
        return await self.client.post("v1/chat/completions", json=body, timeout=timeout)

    def seen(self, kind: type[Entry]) -> list[Any]:
        return [entry for entry in self.stage.history if isinstance(entry, kind)]


Story = Callable[[Scene], Coroutine[Any, Any, None]]
Carry = Callable[[Story, Plan], None]


def plan(*faults: Any, triggers: tuple[Trigger, ...] = ()) -> Plan:
    return Plan(
        seed=1,
        play="p",
        script=SCRIPT,
        inputs=("Go.",),
        world=WorldSpec(files={}),
        faults=faults,
        triggers=triggers,
    )


async def _tell(story: Story, plan: Plan, open_client: Any) -> None:
    deeds, loop = NoDeeds(), asyncio.get_running_loop()
    stage = Stage(plan, clock=loop.time, deeds=deeds)
    app = App({"p": stage})
    async with open_client(app) as client:
        scene = Scene(app, stage, client, deeds)
        await story(scene)
        await stage.close()


def in_process(story: Story, plan: Plan) -> None:
    def open_client(app: App) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=StageTransport(app), base_url="http://fake/r/p/1/")

    for seed in range(3):
        clock.run(lambda: _tell(story, plan, open_client), seed=seed)


def over_a_socket(story: Story, plan: Plan) -> None:
    @asynccontextmanager
    async def open_client(app: App) -> AsyncIterator[httpx.AsyncClient]:
        async with (
            Server(app) as server,
            httpx.AsyncClient(
                base_url=f"{server.url}/r/p/1/", trust_env=False, verify=False
            ) as client,
        ):
            yield client

    asyncio.run(_tell(story, plan, open_client))


carried = pytest.mark.parametrize("carry", [in_process, over_a_socket])


# --- replies --------------------------------------------------------------------------------


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
        ("GET", "/v1/models", 404, "this server knows /r/PLAY/START/v1/..."),
        ("GET", "/r/p/one/tools", 404, "no such path"),
        ("GET", "/r/q/1/tools", 404, "no play 'q' is on"),
        ("POST", "v1/completions", 404, "there are /v1/chat/completions, /v1/models, /tools"),
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
        def broken() -> list[dict[str, Any]]:
            raise ZeroDivisionError("a bug of ours")

        scene.stage.manifest = broken  # type: ignore[method-assign]
        response = await scene.client.get("tools")
        assert response.status_code == 500
        assert response.json()["error"]["code"] == "bench_failure"
        assert [str(error) for error in scene.app.failures["p"]] == ["a bug of ours"]

    carry(story, plan())
