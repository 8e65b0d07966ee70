"""A server in a process of its own, to be measured: `python -m faultloop.bench.perf.served KIND`.

`fakes`: the fake app, a conversation of its own for each request. `bare`: an ASGI app that knows
its answer beforehand, on uvicorn as it is. Both in the mode that sends each event as it comes, and
`-coalesced`. The port is the first line of what it prints; it serves until its input is closed.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys

import uvicorn

from faultloop.bench.perf.load import EVENTS
from faultloop.fakes.app import App
from faultloop.fakes.asgi import AsgiApp, Receive, Scope, Send
from faultloop.fakes.script import Script, Step
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Plan, Stage
from faultloop.fakes.world.spec import WorldSpec

SAID = "twenty-four letters  or " * (EVENTS - 4) + "one more"
"""With role, finish and end mark, and the mark in its last piece: as many events as are wanted."""

PLAN = Plan(
    seed=1,
    play="p",
    script=Script(turns=((Step(say=SAID),),)),
    inputs=("Go.",),
    world=WorldSpec(files={}),
)


class NoDeeds:
    """Nothing is staged here."""

    async def kill(self, start: int) -> None:
        """Never asked for."""

    async def cancel(self, start: int) -> None:
        """Never asked for."""

    async def say(self, start: int, kind: str, text: str) -> None:
        """Never asked for."""


class Fresh(dict[str, Stage]):
    """Each time that a play is looked for, it has just begun."""

    def get(self, play: str, default: object = None) -> Stage:
        """A stage that nobody has asked anything."""
        return Stage(PLAN, clock=lambda: 0.0, deeds=NoDeeds())


def bare(*, coalesce: bool) -> AsgiApp:
    """Reads a request as JSON, and sends the events that it has."""
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    said = [{"role": "assistant"}, *({"content": SAID[:24]} for _ in range(EVENTS - 3)), {}]
    deltas = [{"index": 0, "delta": delta, "finish_reason": None} for delta in said]
    events = [b"data: %b\n\n" % json.dumps({**chunk, "choices": [one]}).encode() for one in deltas]
    events.append(b"data: [DONE]\n\n")
    pieces = [b"".join(events)] if coalesce else events

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        json.loads(body)
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            if not coalesce:
                await asyncio.sleep(0)  # uvloop writes once a round, whatever it was given
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return app


async def until_input_ends() -> None:
    """Wait for whoever started this process to close its input, or to die."""
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


async def serve_fakes(*, coalesce: bool) -> None:
    """The fake app behind its own server."""
    async with Server(App(Fresh(), coalesce=coalesce)) as server:
        print(server.url.rsplit(":", 1)[1], flush=True)
        await until_input_ends()


async def serve_bare(*, coalesce: bool) -> None:
    """The bare app on uvicorn's own server."""
    config = uvicorn.Config(
        bare(coalesce=coalesce),
        http="httptools",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # as in `fakes.server`: what is compared is not uvicorn's settings
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listening:
        print(listening.getsockname()[1], flush=True)
        serving = asyncio.create_task(server.serve([listening]))
        await until_input_ends()
        server.should_exit = True
        await serving


def main(kind: str) -> None:
    """Serve on the fastest event loop that there is."""
    name, _, coalesced = kind.partition("-")
    serve = {"fakes": serve_fakes, "bare": serve_bare}[name](coalesce=bool(coalesced))
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        runner.run(serve)


def fastest_loop() -> type[asyncio.AbstractEventLoop] | None:
    """uvloop's, where it is installed; None: asyncio's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.Loop


if __name__ == "__main__":
    main(sys.argv[1])
