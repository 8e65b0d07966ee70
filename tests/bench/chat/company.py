"""A model to chat with: the fake server on loopback, in a thread of its own.

The script is one turn of many steps, so that the next step is due whatever the person has typed;
what is said carries the fake's marks.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from faultloop.fakes.app import App
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.plan import Plan
from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Stage
from faultloop.fakes.world.spec import CommandSpec, WorldSpec


class Model:
    """A fake model that serves."""

    def __init__(self, url: str, stage: Stage) -> None:
        self.url = url
        self.stage = stage

    @property
    def asked(self) -> list[str]:
        """The raw text of every message of every request so far, one request an entry."""
        return [
            "\n".join(message.text for message in entry.messages)
            for entry in self.stage.history
            if type(entry).__name__ == "Requested"
        ]


class Deeds:
    """Nothing is staged from outside."""

    async def kill(self, start: int) -> None:
        raise NotImplementedError

    async def cancel(self, start: int) -> None:
        raise NotImplementedError

    async def say(self, start: int, kind: str, text: str) -> None:
        raise NotImplementedError


def says(text: str = "", *calls: tuple[str, dict[str, Any]]) -> Step:
    """One reply of the model."""
    return Step(say=text, calls=tuple(ScriptedCall.of(tool, args) for tool, args in calls))


@contextmanager
def model(*steps: Step, faults: Sequence[Fault] = ()) -> Iterator[Model]:
    """Serve this script while the block runs."""
    served: list[Model] = []
    ready, over = threading.Event(), threading.Event()

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        plan = Plan(
            seed=7,
            play="chat",
            script=Script(turns=(steps,)),
            inputs=("",),
            world=WorldSpec(commands={"true": CommandSpec()}),
            faults=tuple(faults),
        )
        stage = Stage(plan, clock=loop.time, deeds=Deeds(), tier="real")
        stage.begin(1, 0, False)
        async with Server(App({"chat": stage})) as server:
            served.append(Model(f"{server.url}/r/chat/1/v1", stage))
            ready.set()
            await asyncio.to_thread(over.wait)
            await stage.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert ready.wait(10)
        yield served[0]
    finally:
        over.set()
        thread.join()
