"""A play that is on at the real server, and the official SDK's client at its start."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from faultloop.fakes.app import App
from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Plan, Stage
from faultloop.fakes.strictness import REAL, Strictness
from faultloop.fakes.world.spec import WorldSpec

from .carried import NoDeeds

genai = pytest.importorskip("google.genai", reason="google-genai is not installed")
types = genai.types

A = ScriptedCall.of("read_file", {"path": "a.txt", "lines": [1, 2.5, None, "ü<b>"]})
B = ScriptedCall.of("list_files", {})
TALK = Step(say="Grüß dich, <du>: a text that is longer than one piece.")
ONE = Step(calls=(A,))
BOTH = Step(say="I look.", calls=(A, B))
LONG = Step(say="And then", finish="length")
FILTERED = Step(say="I will", finish="content_filter")

TOOLS = [
    types.Tool(
        function_declarations=[
            types.FunctionDeclaration(
                name="read_file",
                description="Read a file.",
                parameters_json_schema={
                    "type": "object",
                    "properties": {"path": {"type": "string"}},
                    "additionalProperties": False,
                },
            ),
            types.FunctionDeclaration(
                name="list_files",
                parameters=types.Schema(
                    type="OBJECT", properties={"glob": types.Schema(type="STRING", min_length=1)}
                ),
            ),
        ]
    )
]
CONFIG = types.GenerateContentConfig(
    tools=TOOLS,
    system_instruction="Be kind.",
    temperature=0.1,
    max_output_tokens=50,
    safety_settings=[
        types.SafetySetting(category="HARM_CATEGORY_HARASSMENT", threshold="BLOCK_NONE")
    ],
    thinking_config=types.ThinkingConfig(include_thoughts=True, thinking_budget=-1),
    tool_config=types.ToolConfig(function_calling_config=types.FunctionCallingConfig(mode="AUTO")),
    automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
)


class Scene:
    """A play that is on, and the SDK's client at its start."""

    def __init__(self, stage: Stage, url: str, version: str | None) -> None:
        self.stage = stage
        self.url = f"{url}/r/p/1"
        self.input = stage.begin(1, 0, resume=False)
        options = types.HttpOptions(
            base_url=self.url, api_version=version, async_client_args={"trust_env": False}
        )
        self.client = genai.Client(api_key="none", http_options=options).aio

    async def ask(self, contents: Any = None, *, streamed: bool = False, config: Any = CONFIG):
        """One reply; of a streamed one what its chunks amount to."""
        ask = {"model": "gemini-x", "contents": contents or self.input, "config": config}
        if not streamed:
            return await self.client.models.generate_content(**ask)
        stream = await self.client.models.generate_content_stream(**ask)
        return joined([chunk async for chunk in stream])

    def seen(self, kind: type) -> list[Any]:
        return [entry for entry in self.stage.history if isinstance(entry, kind)]


def joined(chunks: list[Any]) -> Any:
    """Chunks as one response: parts joined, what is said of the whole from the last."""
    parts = [
        part
        for chunk in chunks
        if chunk.candidates[0].content
        for part in chunk.candidates[0].content.parts or ()
    ]
    text = "".join(part.text or "" for part in parts)
    rest = [part for part in parts if part.function_call]
    last = chunks[-1].model_copy(deep=True)
    said = [types.Part(text=text), *rest] if text else rest
    last.candidates[0].content = types.Content(role="model", parts=said or None)
    return last


def play(
    story: Callable[[Scene], Coroutine[Any, Any, None]],
    *steps: Step,
    faults: tuple[Any, ...] = (),
    version: str | None = None,
    strictness: Strictness = REAL,
) -> None:
    @asynccontextmanager
    async def scene() -> AsyncIterator[Scene]:
        plan = Plan(
            seed=1,
            play="p",
            script=Script(turns=(steps,)),
            inputs=("Go.",),
            world=WorldSpec(files={}),
            faults=faults,
            triggers=(),
            strictness=strictness,
        )
        stage = Stage(plan, clock=asyncio.get_running_loop().time, deeds=NoDeeds())
        app = App({"p": stage})
        async with Server(app) as server:
            made = Scene(stage, server.url, version)
            try:
                yield made
            finally:
                await made.client.aclose()
        await stage.close()
        assert app.failures == {}

    async def main() -> None:
        async with scene() as made:
            await story(made)

    asyncio.run(main())
