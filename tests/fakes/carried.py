"""Stories that are told twice: through the in-process transport, and over a socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.history import (
    Entry,
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
