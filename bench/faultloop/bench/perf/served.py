"""A server in a process of its own, to be measured: `python -m faultloop.bench.perf.served KIND`.

`KINDS` says what there is: the fake app with a play of its own for each request, the hosting app,
and, to compare with, an ASGI app that knows its answer beforehand, on uvicorn as it is. The port is
the first line of what it prints; it serves until its input is closed.
"""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import sys
from collections.abc import Callable, Coroutine

import uvicorn

from faultloop.bench.perf.load import EVENTS
from faultloop.fakes.app import App
from faultloop.fakes.asgi import AsgiApp, Receive, Scope, Send
from faultloop.fakes.cues import NoDeeds
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.stall import Stalled
from faultloop.fakes.hosting import HostedScript, Hosting
from faultloop.fakes.hosting.app import HostApp
from faultloop.fakes.script import Script, Step
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Plan, Stage
from faultloop.fakes.world.spec import WorldSpec

SAID = "twenty-four letters  or " * (EVENTS - 4) + "one more"
"""With role, finish and end mark, and the mark in its last piece: as many events as are wanted."""

SHORT = "A word."
SHORT_EVENTS = 4

BEFORE_IT_STANDS = 20
"""Events of a slow stream that come, the last of them late; what is left never does."""
LATE_S = 0.2


def plan(said: str, *faults: Fault) -> Plan:
    """A play that is over with one reply."""
    return Plan(
        seed=1,
        play="p",
        script=Script(turns=((Step(say=said),),)),
        inputs=("Go.",),
        world=WorldSpec(files={}),
        faults=faults,
    )


SLOW = plan(
    SAID,
    Stalled(at="step 1", after_deltas=BEFORE_IT_STANDS),
    Stalled(at="step 1", after_deltas=5, seconds=LATE_S),
)


class Fresh(dict[str, Stage]):
    """Each time that a play is looked for, it has just begun."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._plan = plan

    def get(self, play: str, default: object = None) -> Stage:
        """A stage that nobody has asked anything."""
        return Stage(self._plan, clock=lambda: 0.0, deeds=NoDeeds())


def bare(events: int = EVENTS, *, coalesce: bool = False, slow: bool = False) -> AsgiApp:
    """Reads a request as JSON, and sends the events that it has."""
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    said = [{"role": "assistant"}, *({"content": SAID[:24]} for _ in range(events - 3)), {}]
    deltas = [{"index": 0, "delta": delta, "finish_reason": None} for delta in said]
    ready = [b"data: %b\n\n" % json.dumps({**chunk, "choices": [one]}).encode() for one in deltas]
    ready.append(b"data: [DONE]\n\n")
    pieces = [b"".join(ready)] if coalesce else ready

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        json.loads(body)
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for number, piece in enumerate(pieces):
            if slow and number == BEFORE_IT_STANDS:
                await receive()  # the disconnect
                return
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return app


async def until_input_ends() -> None:
    """Wait for whoever started this process to close its input, or to die."""
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


async def serve_fakes(app: AsgiApp) -> None:
    """An app of ours behind our own server."""
    async with Server(app) as server:
        print(server.url.rsplit(":", 1)[1], flush=True)
        await until_input_ends()


async def serve_bare(app: AsgiApp) -> None:
    """An app on uvicorn's own server."""
    config = uvicorn.Config(
        app,
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


def hosting() -> HostApp:
    """The hosting app, every conversation of one short step that is said time and again."""
    return HostApp(Hosting(HostedScript(name="short", steps=(Step(say=SHORT),) * 9)))


KINDS: dict[str, Callable[[], Coroutine[None, None, None]]] = {
    "fakes": lambda: serve_fakes(App(Fresh(plan(SAID)))),
    "fakes-coalesced": lambda: serve_fakes(App(Fresh(plan(SAID)), coalesce=True)),
    "fakes-slow": lambda: serve_fakes(App(Fresh(SLOW))),
    "plays-short": lambda: serve_fakes(App(Fresh(plan(SHORT)))),
    "hosted": lambda: serve_fakes(hosting()),
    "bare": lambda: serve_bare(bare()),
    "bare-coalesced": lambda: serve_bare(bare(coalesce=True)),
    "bare-short": lambda: serve_bare(bare(SHORT_EVENTS)),
    "bare-slow": lambda: serve_bare(bare(slow=True)),
}


def main(kind: str) -> None:
    """Serve on the fastest event loop that there is."""
    gc.collect()
    gc.freeze()  # as `faultloop serve` does
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        runner.run(KINDS[kind]())


def fastest_loop() -> type[asyncio.AbstractEventLoop] | None:
    """uvloop's, where it is installed; None: asyncio's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.Loop


if __name__ == "__main__":
    main(sys.argv[1])
