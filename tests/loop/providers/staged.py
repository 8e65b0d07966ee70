"""The project's own fake provider, as strict as any, asked in each dialect by the client of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import httpx

from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Plan, Stage
from faultloop.fakes.strictness import Strictness
from faultloop.fakes.transport import StageTransport
from faultloop.fakes.world.spec import WorldSpec
from faultloop.loop.assembler import Assembler, Reply
from faultloop.loop.client import BareClient, Client
from faultloop.loop.message import Message, Notice, ResultMessage, UserMessage
from faultloop.loop.providers.anthropic_messages import AnthropicMessages
from faultloop.loop.providers.gemini import Gemini
from faultloop.loop.providers.openai_chat import OpenAIChat
from faultloop.loop.providers.openai_responses import OpenAIResponses
from faultloop.loop.providers.port import ModelRequest, Provider

PROVIDERS: Mapping[str, Callable[[Client, str], Provider]] = {
    "openai_chat": lambda client, root: OpenAIChat(client, f"{root}/v1", "key"),
    "openai_responses": lambda client, root: OpenAIResponses(client, f"{root}/v1", "key"),
    "anthropic_messages": lambda client, root: AnthropicMessages(client, root, "key"),
    "gemini": lambda client, root: Gemini(client, root, "key"),
}
DIALECTS = tuple(PROVIDERS)

READ = {"path": "a.txt"}
APPEND = {"path": "b.txt", "line": "Grüße, 漢字 and 🙂; longer than one piece"}
SCRIPT = Script(
    turns=(
        (
            Step(
                say="I look, and then I write.",
                think="What is in it?",
                calls=(ScriptedCall.of("read_file", READ), ScriptedCall.of("append_file", APPEND)),
            ),
            Step(calls=(ScriptedCall(tool="now", arguments=""),)),
            Step(say="Both are done."),
        ),
        (Step(say="You are welcome."),),
    )
)
TEXT = {"type": "string"}
FACES: tuple[dict[str, Any], ...] = tuple(
    {
        "name": name,
        "description": f"To {name}.",
        "parameters": {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        },
        "strict": "preferred",
    }
    for name, properties in {
        "read_file": {"path": TEXT},
        "append_file": {"path": TEXT, "line": TEXT},
        "now": {},
    }.items()
)


class NoDeeds:
    """Nothing happens but what is asked for."""

    async def kill(self, start: int) -> None:
        raise AssertionError

    async def cancel(self, start: int) -> None:
        raise AssertionError

    async def say(self, start: int, kind: str, text: str) -> None:
        raise AssertionError


def stage(*faults: Fault) -> Stage:
    plan = Plan(
        seed=1,
        play="p",
        script=SCRIPT,
        inputs=("Go.", "Thanks."),
        world=WorldSpec(files={}),
        faults=faults,
        strictness=Strictness(level="strict"),
    )
    return Stage(plan, clock=asyncio.get_running_loop().time, deeds=NoDeeds())


Visit = Callable[[Stage, Client, str], Awaitable[Any]]


def in_process(visit: Visit, *faults: Fault) -> Any:
    found: list[Any] = []

    async def main() -> None:
        played = stage(*faults)
        async with BareClient(StageTransport(App({"p": played}))) as client:
            found.append(await visit(played, client, "http://fake/r/p"))

    clock.run(main, seed=1)
    return found[0]


def over_a_socket(visit: Visit, *faults: Fault) -> Any:
    async def main() -> Any:
        played = stage(*faults)
        async with (
            Server(App({"p": played})) as server,
            httpx.AsyncClient(trust_env=False) as client,
        ):
            return await visit(played, client, f"{server.url}/r/p")

    return asyncio.run(main())


async def reply_to(
    provider: Provider, messages: Sequence[Message], *, stream: bool, number: int = 0
) -> Reply:
    request = ModelRequest(
        model="fake-model",
        system="Be brief.",
        messages=tuple(messages),
        tools=FACES,
        stream=stream,
        output_tokens_max=900,
    )
    assembler = Assembler(f"m{number}")
    async for delta in provider.stream(request):
        assembler.feed(delta)
    return assembler.finish()


def first(dialect: str, *, stream: bool) -> Visit:
    """The reply to the first request."""

    async def visit(played: Stage, client: Client, root: str) -> Reply:
        said = UserMessage(id="u", text=played.begin(1, 0, resume=False))
        return await reply_to(PROVIDERS[dialect](client, f"{root}/1"), [said], stream=stream)

    return visit


def conversation(dialect: str, *, stream: bool) -> Visit:
    """All replies of two turns, with results that went well or wrong, and a notice."""

    async def visit(played: Stage, client: Client, root: str) -> list[Reply]:
        replies: list[Reply] = []
        history: list[Message] = []
        for turn in (0, 1):
            provider = PROVIDERS[dialect](client, f"{root}/{turn + 1}")
            text = played.begin(turn + 1, turn, resume=bool(turn))
            history.append(UserMessage(id=f"u{turn}", text=text))
            while len(replies) < 9:
                reply = await reply_to(provider, history, stream=stream, number=len(replies))
                replies.append(reply)
                history.append(reply.message)
                history += (
                    ResultMessage(call_id=call.id, content=f"result {at}" * at, ok=not at)
                    for at, call in enumerate(reply.message.calls)
                )
                if not reply.message.calls:
                    break
                history.append(Notice(text="Two steps are left."))
        return replies

    return visit
