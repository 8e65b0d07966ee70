"""Responses as the official SDK speaks it, with the real server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from faultloop.fakes.app import App
from faultloop.fakes.faults import KINDS
from faultloop.fakes.history import Replied, ReplyClosed, Requested
from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Plan, Stage
from faultloop.fakes.world.spec import WorldSpec

from .carried import NoDeeds

openai = pytest.importorskip("openai", reason="the extra `openai` is not installed")
httpx2 = pytest.importorskip("httpx2", reason="this openai does not run on httpx2")

LINE = ScriptedCall.of("append_file", {"path": "a.txt", "line": "a line of some length"})
LIST = ScriptedCall.of("list_files", {})
SCRIPT = Script(
    turns=(
        (
            Step(say="I write and look.", calls=(LINE, LIST)),
            Step(calls=(LINE,)),
            Step(say="Grüß dich, all is done."),
        ),
        (Step(say="It is still done."),),
    )
)
TOOLS = [
    {"type": "function", "name": name, "parameters": {"type": "object"}, "strict": False}
    for name in ("append_file", "list_files")
]


class Scene:
    """A play that is on, and a client of the SDK."""

    def __init__(self, stage: Stage, client: Any) -> None:
        self.stage = stage
        self.client = client
        self.input = stage.begin(1, 0, resume=False)

    async def ask(self, items: Any = None, **more: Any) -> Any:
        asked = {"model": "fake-model", "input": items or self.input, "tools": TOOLS, **more}
        return await self.client.responses.create(**asked)

    async def hear(self, items: Any = None, **more: Any) -> Any:
        """Ask for a stream, and let the SDK assemble it."""
        asked = {"model": "fake-model", "input": items or self.input, "tools": TOOLS, **more}
        async with self.client.responses.stream(**asked) as stream:
            return await stream.get_final_response()

    def seen(self, kind: type) -> list[Any]:
        return [entry for entry in self.stage.history if isinstance(entry, kind)]


Story = Callable[[Scene], Coroutine[Any, Any, None]]


def play(story: Story, *faults: Any, script: Script = SCRIPT, key: str = "none") -> None:
    plan = Plan(
        seed=1,
        play="p",
        script=script,
        inputs=("Go.", "And?"),
        world=WorldSpec(files={}),
        faults=faults,
        triggers=(),
    )

    async def main() -> None:
        stage = Stage(plan, clock=asyncio.get_running_loop().time, deeds=NoDeeds())
        async with (
            Server(App({"p": stage})) as server,
            httpx2.AsyncClient(trust_env=False) as http,
        ):
            url = f"{server.url}/r/p/1/v1"
            client = openai.AsyncOpenAI(api_key=key, base_url=url, max_retries=0, http_client=http)
            await story(Scene(stage, client))
            await stage.close()

    asyncio.run(main())


def said(response: Any) -> list[tuple[Any, ...]]:
    """What a response says, without the ids of its items."""
    found: list[tuple[Any, ...]] = []
    for item in response.output:
        if item.type == "message":
            found.append(("message", item.status, item.content[0].text))
        else:
            found.append((item.type, item.status, item.call_id, item.name, item.arguments))
    return found


UNDOCUMENTED = {"store", "frequency_penalty", "presence_penalty"}
"""Fields that recordings of the API have, and the types of the SDK have not."""


def nothing_unknown(thing: Any) -> None:
    """The SDK's types have every field of what was read."""
    for _, value in thing:
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, openai.BaseModel):
                nothing_unknown(inner)
    assert set(thing.model_extra or {}) <= UNDOCUMENTED


@pytest.mark.parametrize("streamed", [False, True])
def test_the_sdk_drives_a_whole_play_with_its_items_sent_back(streamed: bool) -> None:
    async def story(scene: Scene) -> None:
        items: list[Any] = [{"role": "user", "content": scene.input}]
        texts = []
        for _ in range(3):
            response = await (scene.hear if streamed else scene.ask)(items, store=False)
            nothing_unknown(response)
            texts.append(response.output_text)
            items += response.output
            items += [
                {"type": "function_call_output", "call_id": item.call_id, "output": "ok"}
                for item in response.output
                if item.type == "function_call"
            ]

        assert [text.split(" [ref")[0] for text in texts] == [
            "I write and look.",
            "",
            "Grüß dich, all is done.",
        ]
        assert [(reply.step, reply.cursor) for reply in scene.seen(Replied)] == [
            (1, "first"),
            (2, "mark"),
            (3, "mark"),
        ]
        assert {closed.outcome for closed in scene.seen(ReplyClosed)} == {"sent"}
        last = scene.seen(Requested)[-1]
        assert [message.role for message in last.messages] == [
            "user",
            "assistant",
            "tool",
            "tool",
            "assistant",
            "tool",
        ]

    play(story)


@pytest.mark.parametrize("streamed", [False, True])
def test_the_sdk_drives_a_play_that_the_provider_keeps(streamed: bool) -> None:
    async def story(scene: Scene) -> None:
        ask = scene.hear if streamed else scene.ask
        response = await ask()
        while calls := [item for item in response.output if item.type == "function_call"]:
            results = [
                {"type": "function_call_output", "call_id": call.call_id, "output": "ok"}
                for call in calls
            ]
            response = await ask(results, previous_response_id=response.id)

        assert response.output_text.startswith("Grüß dich, all is done.")
        turn = scene.stage.begin(1, 1, resume=False)
        response = await ask(turn, previous_response_id=response.id)
        assert response.output_text.startswith("It is still done.")
        assert [reply.step for reply in scene.seen(Replied)] == [1, 2, 3, 4]

    play(story)


def test_a_play_can_be_carried_on_by_references_to_its_items() -> None:
    async def story(scene: Scene) -> None:
        items: list[Any] = [{"role": "user", "content": scene.input}]
        first = await scene.ask(items)
        items += [{"type": "item_reference", "id": item.id} for item in first.output]
        items += [
            {"type": "function_call_output", "call_id": item.call_id, "output": "ok"}
            for item in first.output[1:]
        ]

        second = await scene.ask(items)

        assert [item.name for item in second.output] == ["append_file"]

    play(story)


ENDINGS = [
    ((), "completed", None),
    ((KINDS["contradicting_finish"](at="step 1", finish="length"),), "incomplete", "max"),
    ((KINDS["contradicting_finish"](at="step 1", finish="content_filter"),), "incomplete", "con"),
    ((KINDS["truncated_arguments"](at="step 1"),), "incomplete", "max"),
    ((KINDS["empty_arguments"](at="step 1"),), "completed", None),
    ((KINDS["glued_objects"](at="step 1", second={"a": 1}),), "completed", None),
]


@pytest.mark.parametrize(("faults", "status", "reason"), ENDINGS)
def test_streamed_and_whole_are_one_message_in_the_sdk(faults, status, reason) -> None:
    heard: list[Any] = []

    async def whole(scene: Scene) -> None:
        heard.append(await scene.ask(max_output_tokens=64))

    async def streamed(scene: Scene) -> None:
        stream = await scene.ask(max_output_tokens=64, stream=True)
        events = [event async for event in stream]
        assert [event.sequence_number for event in events] == list(range(len(events)))
        heard.append(events[-1].response)

    play(whole, *faults)
    play(streamed, *faults)
    one, other = heard
    assert said(one) == said(other)
    assert one.status == other.status == status
    for response in heard:
        nothing_unknown(response)
        details = response.incomplete_details
        assert (details and details.reason[:3]) == reason
        assert response.usage.total_tokens == (
            response.usage.input_tokens + response.usage.output_tokens
        )
        if reason == "max":
            assert response.usage.output_tokens == 64
    # The two requests differ in `stream`, and so in what the estimate of their tokens counts.
    assert one.usage.output_tokens == other.usage.output_tokens


def test_the_sdk_waits_as_long_as_it_was_told_and_asks_again() -> None:
    async def story(scene: Scene) -> None:
        patient = scene.client.with_options(max_retries=1)
        response = await patient.responses.create(
            model="fake-model", input=scene.input, tools=TOOLS
        )
        assert response.status == "completed"

    play(story, KINDS["rate_limited"](at="step 1", retry_after_s=0.01))


REFUSED = [
    ({"input": []}, "BadRequestError", None),
    ({"max_output_tokens": 1}, "BadRequestError", "max_output_tokens"),
    ({"previous_response_id": "resp_x"}, "BadRequestError", "previous_response_id"),
    ({"conversation": "conv_x"}, "NotFoundError", None),
    ({"extra_headers": {"authorization": ""}}, "AuthenticationError", None),
]


@pytest.mark.parametrize(("more", "kind", "param"), REFUSED)
def test_the_sdk_raises_what_the_api_rejects(more, kind, param) -> None:
    async def story(scene: Scene) -> None:
        asked = {"model": "fake-model", "input": scene.input, **more}
        with pytest.raises(getattr(openai, kind)) as caught:
            await scene.client.responses.create(**asked)
        assert (caught.value.param, caught.value.type) == (param, "invalid_request_error")

    play(story)


def test_the_sdk_lists_models_and_counts_tokens_beside_the_play() -> None:
    async def story(scene: Scene) -> None:
        models = [model.id async for model in scene.client.models.list()]
        count = await scene.client.responses.input_tokens.count(model="m", input="x" * 400)

        assert models == ["fake-model"]
        assert (count.object, count.input_tokens > 100) == ("response.input_tokens", True)
        assert scene.seen(Requested) == []

    play(story)


def test_a_stream_without_its_last_event_is_none_to_the_sdk() -> None:
    async def story(scene: Scene) -> None:
        with pytest.raises(RuntimeError, match=r"a `response\.completed` event"):
            await scene.hear()

    play(story, KINDS["end_mark_missing"](at="step 1"))


@pytest.mark.parametrize("kind", ["interleaved_calls", "gapped_indexes", "empty_chunks"])
def test_what_is_odd_about_a_stream_changes_nothing_for_the_sdk(kind: str) -> None:
    async def story(scene: Scene) -> None:
        response = await scene.hear()
        _, line, files = said(response)
        assert (line[1], line[3:]) == ("completed", (LINE.tool, LINE.arguments))
        assert (files[1], files[3:]) == ("completed", (LIST.tool, LIST.arguments))

    play(story, KINDS[kind](at="step 1"))
