"""Plays for the stories of this folder: a stage, an honest client, and the simulated clock.

A test that takes `open_play` is a coroutine; it runs under the simulated clock, and the stages of
the plays that it opened are closed at its end.
"""

import asyncio
import inspect
import json
from collections.abc import Callable

import pytest

from faultloop.fakes import clock
from faultloop.fakes.answers import Rejected, Said, ToolAnswer
from faultloop.fakes.conversation import Conversation, Message, SaidCall
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.history import Entry
from faultloop.fakes.landmarks import Trigger
from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.stage import Plan, Stage
from faultloop.fakes.world.spec import CommandSpec, WorldSpec

APPEND = {"path": "a.txt", "line": "x"}
BODY = json.dumps(APPEND).encode()
SCRIPT = Script(
    turns=(
        (
            Step(say="I write.", calls=(ScriptedCall.of("append_file", APPEND),)),
            Step(say="Done."),
        ),
        (Step(say="All is done."),),
    )
)
WORLD = WorldSpec(
    files={"a.txt": ""},
    commands={
        "npm test": CommandSpec(output="ok", takes_s=5, effect="wrote coverage/"),
        "ls": CommandSpec(output="a.txt"),
    },
)


class Deeds:
    """Writes down what the bench was asked to do, and does what a test hangs in."""

    def __init__(self) -> None:
        self.done: list[tuple[str, int]] = []
        self.on_cancel: Callable[[], None] = lambda: None

    async def kill(self, start: int) -> None:
        self.done.append(("kill", start))

    async def cancel(self, start: int) -> None:
        self.done.append(("cancel", start))
        self.on_cancel()

    async def say(self, start: int, kind: str, text: str) -> None:
        self.done.append((f"{kind}: {text}", start))


class Play:
    """A stage with its deeds, a client that is honest, and a way to look at the history."""

    def __init__(
        self,
        *,
        faults: tuple[Fault, ...] = (),
        triggers: tuple[Trigger, ...] = (),
        script: Script = SCRIPT,
        requests_max: int = 8,
        **options: object,
    ) -> None:
        self.deeds = Deeds()
        plan = Plan(
            seed=7,
            play="play",
            script=script,
            inputs=("Go.", "And?"),
            world=WORLD,
            faults=faults,
            triggers=triggers,
            requests_max=requests_max,
        )
        self.stage = Stage(plan, clock=clock.sim_loop().time, deeds=self.deeds, **options)
        self.messages = [Message(role="user", text=self.stage.begin(1, 0, False))]

    async def ask(self, **fields: object) -> Said | Rejected:
        conversation = Conversation(
            messages=tuple(self.messages),
            raw=repr(self.messages),
            **{"tools": ("append_file",), **fields},
        )
        return await self.stage.answer(1, "openai_chat", conversation)

    async def hear(self, *, sent: int | None = None) -> Said:
        """Ask, receive `sent` items (None: all), and keep what a loop keeps."""
        said = await self.ask(streaming=True)
        assert isinstance(said, Said)
        for number in range(1, (len(said.items) if sent is None else sent) + 1):
            await self.stage.sent_chunk(said.request, number)
        ending = said.ending(len(said.items) if sent is None else sent, gone=sent is not None)
        await self.stage.closed(said.request, ending)
        calls = tuple(
            SaidCall(id=call.id, name=call.tool, arguments=call.arguments)
            for call in said.reply.calls
        )
        self.messages.append(Message(role="assistant", text=said.reply.text, calls=calls))
        return said

    async def call(
        self,
        tool: str = "append_file",
        body: bytes = BODY,
        *,
        call_id: str | None = None,
        gone: asyncio.Event | None = None,
    ) -> ToolAnswer | None:
        gone = gone or asyncio.Event()
        answer = await self.stage.invoke(1, tool, body, call_id=call_id, key="k", gone=gone)
        if answer is not None:
            await self.stage.delivered(answer.invocation)
        return answer

    async def turn(self) -> None:
        """The whole first turn of an honest loop."""
        while (said := await self.hear()).reply.calls:
            for call in said.reply.calls:
                await self.call(call.tool, call.arguments.encode(), call_id=call.id)
                self.messages.append(Message(role="tool", text="ok", result_of=call.id))

    def events(self, *kinds: type[Entry]) -> list[str]:
        return [
            type(entry).__struct_config__.tag
            for entry in self.stage.history
            if not kinds or isinstance(entry, kinds)
        ]

    def only(self, kind: type[Entry]) -> Entry:
        (entry,) = (entry for entry in self.stage.history if isinstance(entry, kind))
        return entry

    async def is_held(self, task: asyncio.Task) -> bool:
        """Whether the task still waits after a virtual minute in which nothing else happens."""
        await asyncio.wait({task}, timeout=60)
        return not task.done()


class OpenPlays:
    """Remembers the plays of a test."""

    def __init__(self) -> None:
        self.opened: list[Play] = []

    def __call__(self, **options: object) -> Play:
        play = Play(**options)
        self.opened.append(play)
        return play


@pytest.fixture
def open_play() -> Callable[..., Play]:
    """Opens plays: `open_play(faults=..., triggers=..., script=..., tier=..., commands=...)`."""
    return OpenPlays()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a story under the simulated clock."""
    plays = pyfuncitem.funcargs.get("open_play")
    if plays is None or not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    arguments = {name: pyfuncitem.funcargs[name] for name in names}

    async def tell() -> None:
        try:
            await pyfuncitem.obj(**arguments)
        finally:
            for play in plays.opened:
                await play.stage.close()

    clock.run(tell, seed=7)
    return True
