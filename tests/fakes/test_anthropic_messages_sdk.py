"""Anthropic Messages as the official SDK reads it, from the real server over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
import pytest

from faultloop.fakes.app import App
from faultloop.fakes.faults.rate_limited import RateLimited
from faultloop.fakes.faults.server_error import ServerError
from faultloop.fakes.faults.truncated_arguments import TruncatedArguments
from faultloop.fakes.history import Refused, Replied, ReplyClosed, Requested
from faultloop.fakes.script import Finish, Script, ScriptedCall, Step
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Plan, Stage
from faultloop.fakes.world.spec import WorldSpec

from .carried import NoDeeds

anthropic = pytest.importorskip("anthropic")

APPEND = {"path": "a.txt", "line": "a line that is longer than one piece"}
READ = {"path": "a.txt"}
TOOLS = [
    {"name": name, "description": "x", "input_schema": {"type": "object", "properties": {}}}
    for name in ("append_file", "read_file")
]
BOTH = (ScriptedCall.of("append_file", APPEND), ScriptedCall.of("read_file", READ))
LOOK = Step(say="I look.", calls=BOTH)


class Scene:
    """A play that is on, and the SDK's client at its start."""

    def __init__(self, stage: Stage, client: Any, http: httpx.AsyncClient) -> None:
        self.stage = stage
        self.client = client
        self.http = http
        self.messages: list[Any] = [
            {"role": "user", "content": stage.begin(1, 0, resume=False)},
        ]

    async def ask(self, *, stream: bool, **more: Any) -> Any:
        """The message that the model says, whichever way it comes."""
        asked = {"model": "claude-fake", "max_tokens": 64, "messages": self.messages, **more}
        asked.setdefault("tools", TOOLS)
        if not stream:
            return await self.client.messages.create(**asked)
        async with self.client.messages.stream(**asked) as events:
            return await events.get_final_message()

    def seen(self, kind: type[Any]) -> list[Any]:
        return [entry for entry in self.stage.history if isinstance(entry, kind)]


Story = Callable[[Scene], Coroutine[Any, Any, None]]


def play(story: Story, *steps: Step, faults: tuple[Any, ...] = (), retries: int = 0) -> None:
    async def main() -> None:
        plan = Plan(
            seed=1,
            play="p",
            script=Script(turns=(steps,)),
            inputs=("Go.",),
            world=WorldSpec(files={}),
            faults=faults,
        )
        stage = Stage(plan, clock=asyncio.get_running_loop().time, deeds=NoDeeds())
        app = App({"p": stage})
        async with (
            Server(app) as server,
            httpx.AsyncClient(base_url=f"{server.url}/r/p/1/", trust_env=False) as http,
            anthropic.AsyncAnthropic(
                api_key="none",
                base_url=f"{server.url}/r/p/1",
                max_retries=retries,
                http_client=anthropic.DefaultAsyncHttpxClient(trust_env=False),
            ) as client,
        ):
            await story(Scene(stage, client, http))
            await stage.close()
        assert app.failures == {}

    asyncio.run(main())


both_ways = pytest.mark.parametrize("stream", [False, True])


@both_ways
def test_text_comes_with_its_usage(stream: bool) -> None:
    async def story(scene: Scene) -> None:
        message = await scene.ask(stream=stream)

        (replied,) = scene.seen(Replied)
        (block,) = message.content
        assert (block.type, block.text) == ("text", replied.text)
        assert (message.role, message.model) == ("assistant", "claude-fake")
        assert (message.stop_reason, message.stop_details) == ("end_turn", None)
        assert message.id.startswith("msg_")
        assert message.usage.input_tokens > 0
        assert message.usage.output_tokens > 1
        (closed,) = scene.seen(ReplyClosed)
        assert closed.outcome == "sent"

    play(story, Step(say="All is well."))


@both_ways
def test_parallel_calls_come_with_their_ids_names_and_inputs(stream: bool) -> None:
    async def story(scene: Scene) -> None:
        message = await scene.ask(stream=stream)

        (replied,) = scene.seen(Replied)
        text, *calls = message.content
        assert text.text == replied.text
        assert [(call.id, call.name) for call in calls] == [
            (call.id, call.tool) for call in replied.calls
        ]
        assert [call.input for call in calls] == [APPEND, READ]
        assert [call.caller.type for call in calls] == ["direct", "direct"]
        assert message.stop_reason == "tool_use"

    play(story, LOOK)


def told(message: Any) -> tuple[Any, ...]:
    """A message without its ids and counts, which are of their request."""
    calls = [(block.name, block.input) for block in message.content if block.type == "tool_use"]
    blocks = [block.type for block in message.content]
    return blocks, calls, message.stop_reason, message.stop_sequence, message.stop_details


@pytest.mark.parametrize("finish", ["stop", "tool_calls", "length", "content_filter"])
def test_streamed_equals_whole_at_every_finish(finish: Finish) -> None:
    async def story(scene: Scene) -> None:
        whole, streamed = [await scene.ask(stream=stream) for stream in (False, True)]

        assert told(whole) == told(streamed)
        reasons = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
        assert whole.stop_reason == reasons.get(finish, "tool_use")
        assert (whole.stop_details is not None) == (finish == "content_filter")
        if finish == "length":  # a model that is cut has used what it was allowed
            assert whole.usage.output_tokens == streamed.usage.output_tokens == 64

    play(story, Step(say="I look.", calls=BOTH, finish=finish))


def test_cut_arguments_are_the_same_input_streamed_and_whole() -> None:
    async def story(scene: Scene) -> None:
        whole, streamed = [await scene.ask(stream=stream) for stream in (False, True)]

        assert told(whole) == told(streamed)
        assert whole.content[0].input in ({}, {"path": "a.txt"})

    play(story, Step(calls=BOTH[:1]), faults=(TruncatedArguments(at="step 1"),))


@both_ways
def test_a_loop_that_echoes_what_it_got_is_followed_to_its_end(stream: bool) -> None:
    async def story(scene: Scene) -> None:
        while (message := await scene.ask(stream=stream, system="Work.")).stop_reason == "tool_use":
            results = [
                {"type": "tool_result", "tool_use_id": block.id, "content": "ok"}
                for block in message.content
                if block.type == "tool_use"
            ]
            scene.messages += [message.to_param(), {"role": "user", "content": results}]

        assert [entry.step for entry in scene.seen(Replied)] == [1, 2, 3]
        assert [entry.cursor for entry in scene.seen(Replied)] == ["first", "mark", "mark"]
        assert scene.seen(Refused) == []
        roles = [message.role for message in scene.seen(Requested)[1].messages]
        assert roles == ["system", "user", "assistant", "tool", "tool"]

    play(story, LOOK, Step(calls=BOTH[:1]), Step(say="Done."))


def test_one_call_a_reply_is_kept_where_it_is_asked_for() -> None:
    async def story(scene: Scene) -> None:
        choice = {"type": "auto", "disable_parallel_tool_use": True}
        message = await scene.ask(stream=True, tool_choice=choice)

        assert [block.type for block in message.content] == ["text", "tool_use"]

    play(story, LOOK)


# --- errors ---------------------------------------------------------------------------------


@both_ways
def test_a_rate_limit_says_when_to_come_again(stream: bool) -> None:
    async def story(scene: Scene) -> None:
        with pytest.raises(anthropic.RateLimitError) as caught:
            await scene.ask(stream=stream)

        error = caught.value
        assert (error.status_code, error.type) == (429, "rate_limit_error")
        assert error.request_id == error.body["request_id"] == "req_000000000000000000000001"
        assert error.response.headers["retry-after"] == "3"
        assert error.response.headers["x-should-retry"] == "true"

    play(story, LOOK, faults=(RateLimited(at="step 1", retry_after_s=2.5),))


def test_the_sdk_retries_what_it_is_told_to_retry() -> None:
    async def story(scene: Scene) -> None:
        message = await scene.ask(stream=False)

        assert message.stop_reason == "tool_use"
        assert len(scene.seen(Requested)) == 3

    faults = (RateLimited(at="step 1", retry_after_s=0.0), ServerError(at="step 1"))
    play(story, LOOK, faults=faults, retries=2)


def test_a_request_that_the_api_could_not_read_is_written_down_and_refused() -> None:
    async def story(scene: Scene) -> None:
        scene.messages.append({"role": "tool", "content": "ok"})
        with pytest.raises(anthropic.BadRequestError, match='Unexpected role "tool"'):
            await scene.ask(stream=True)

        assert [entry.rule for entry in scene.seen(Refused)] == ["unreadable"]

    play(story, LOOK)


# --- beside ---------------------------------------------------------------------------------


def test_tokens_are_counted_and_models_are_listed_beside_the_play() -> None:
    async def story(scene: Scene) -> None:
        counted = await scene.client.messages.count_tokens(
            model="m", messages=scene.messages, tools=TOOLS, system="Work."
        )
        models = [model async for model in scene.client.models.list()]

        assert counted.input_tokens > 0
        assert [(model.id, model.type, model.lifecycle) for model in models] == [
            ("fake-model", "model", "active")
        ]
        assert models[0].created_at.year == 2026
        assert scene.seen(Requested) == []

    play(story, LOOK)


def test_what_is_refused_beside_the_play_is_refused_in_the_same_form() -> None:
    async def story(scene: Scene) -> None:
        response = await scene.http.post("v1/messages/count_tokens", json={})

        assert response.status_code == 401
        assert response.json()["error"]["message"] == "x-api-key header is required"
        assert response.headers["x-should-retry"] == "false"
        listed = await scene.http.get("v1/models")  # without the version it is OpenAI's
        assert listed.json()["object"] == "list"

    play(story, LOOK)
