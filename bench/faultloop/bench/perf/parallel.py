"""Plays side by side on one server: is any of them lost, or mixed up with another, or left behind?

Each has a word of its own, which is in all that its model says, in its calls and in its files. So
whatever a client hears, and whatever a stage writes down, must have this word in it and no other's.
Some are in trouble, and some clients let go of a reply and ask again.
"""

from __future__ import annotations

import asyncio
import gc
import json
import re
import time
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, NamedTuple

from faultloop.bench.perf.measurement import Bound, Figure, Figures, Measurement, Sides
from faultloop.bench.perf.talk import Line, Said, understood
from faultloop.fakes.app import App
from faultloop.fakes.cues import NoDeeds
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.gateway_timeout_after_effect import GatewayTimeoutAfterEffect
from faultloop.fakes.faults.reset_mid_stream import ResetMidStream
from faultloop.fakes.faults.server_error import ServerError
from faultloop.fakes.faults.sliced_bytes import SlicedBytes
from faultloop.fakes.faults.stall import Stalled
from faultloop.fakes.history import AnyEntry, CallAnswered, E, Replied, ReplyClosed, dump
from faultloop.fakes.plan import Plan
from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Stage
from faultloop.fakes.world.spec import WorldSpec

PLAYS = 500
ALONE = 50
"""Plays of the baseline, one after the other."""
ASKED_MAX = 8
PATIENCE_S = 120
_WORD = re.compile(rb"w[0-9a-f]{16}w")


class Trouble(NamedTuple):
    """What is the matter with a play."""

    faults: tuple[Fault, ...] = ()
    streamed: bool = False
    """Only streams can have it."""
    lets_go_at: int = 0
    """The request whose reply the client does not wait for."""
    closed: tuple[str, ...] = ()
    """How replies end that are not sent whole."""


TROUBLES = (
    Trouble(),
    Trouble((ServerError(at="step 2"),)),
    Trouble((SlicedBytes(at="step 1", every=7),)),
    Trouble((GatewayTimeoutAfterEffect(at="tool append_file 1"),)),
    Trouble((Stalled(at="step 2"),), streamed=True, lets_go_at=2, closed=("client_gone",)),
    Trouble((ResetMidStream(at="step 3", after_deltas=2),), streamed=True, closed=("reset",)),
    Trouble((Stalled(at="step 1"),), streamed=True, lets_go_at=1, closed=("client_gone",)),
)
STEPS = 3


class Play:
    """One of them: its stage, and its client."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.name = f"play-{number}"
        self.word = f"w{blake2b(self.name.encode(), digest_size=8).hexdigest()}w"
        self.trouble = TROUBLES[number % len(TROUBLES)]
        self.streamed = self.trouble.streamed or bool(number // len(TROUBLES) % 2)
        self.stage = Stage(self._plan(), clock=time.monotonic, deeds=NoDeeds(), tier="real")
        self.ids: list[str] = []
        self.last = ""
        """What the model said last."""

    def _plan(self) -> Plan:
        path = {"path": f"{self.word}.txt"}
        appends = (
            ScriptedCall.of("append_file", path | {"line": f"{self.word} {n}"}) for n in "12"
        )
        steps = (
            Step(say=f"{self.word} begins.", calls=tuple(appends)),
            Step(calls=(ScriptedCall.of("read_file", path),)),
            Step(say=f"{self.word} is over."),
        )
        return Plan(
            seed=1,
            play=self.name,
            script=Script(turns=(steps,)),
            inputs=(f"Work, {self.word}.",),
            world=WorldSpec(files={}),
            faults=self.trouble.faults,
        )

    async def run(self, port: int) -> bytes:
        """Play it to the model's last word; gives all that the client heard."""
        line, below = Line(port), f"/r/{self.name}/1"
        manifest = json.loads((await line.get(f"{below}/tools")).body)
        tools = [{"type": "function", "function": _function(tool)} for tool in manifest]
        said = self.stage.begin(1, 0, False)
        messages: list[dict[str, Any]] = [{"role": "user", "content": said}]
        for request in range(1, ASKED_MAX):
            body = {"model": "m", "messages": messages, "tools": tools, "stream": self.streamed}
            answered = await line.post(
                f"{below}/v1/chat/completions",
                json.dumps(body).encode(),
                patient=request != self.trouble.lets_go_at,
            )
            if answered.status != 200 or not answered.is_whole:
                continue
            said_now = understood(answered)
            self.last = said_now.text
            messages += [said_now.message, *await self._results(line, below, said_now)]
            if not said_now.calls:
                break
        return bytes(line.heard)

    async def _results(self, line: Line, below: str, said: Said) -> list[dict[str, Any]]:
        self.ids += [call["id"] for call in said.calls]
        results = []
        for call in said.calls:
            function = call["function"]
            answered = await line.post(
                f"{below}/tools/{function['name']}",
                function["arguments"].encode(),
                {"x-call-id": call["id"]},
            )
            content = answered.body.decode()
            results.append({"role": "tool", "tool_call_id": call["id"], "content": content})
        return results

    async def closed(self) -> None:
        """Wait until all replies that were begun are over on the server's side."""
        history, grown = self.stage.history, asyncio.Event()
        history.heard = grown.set
        while len(_all(Replied, history)) > len(_all(ReplyClosed, history)):
            await grown.wait()
            grown.clear()
        history.heard = None

    def complaints(self, heard: bytes) -> list[str]:
        """What is wrong with it, in sentences."""
        wrong = []
        if not self.last.startswith(f"{self.word} is over."):
            wrong.append(f"{self.name} is lost: it ended with {self.last!r}")
        entries = self.stage.history.entries
        for what, bytes_ in (("heard", heard), ("wrote down", dump(entries))):
            words = {word.decode() for word in _WORD.findall(bytes_)}
            if words != {self.word}:
                wrong.append(f"{self.name} {what} the words {sorted(words)}, not {self.word}")
        effects = [effect.what for effect in self.stage.ledger.effects]
        if effects != [f"appended 1 line to {self.word}.txt"] * 2:
            wrong.append(f"{self.name} had the effects {effects}")
        closed = Counter(entry.outcome for entry in _all(ReplyClosed, entries))
        if closed != Counter(self.trouble.closed) + Counter(sent=STEPS):
            wrong.append(f"{self.name} had replies that ended {dict(closed)}")
        answered = len(_all(CallAnswered, entries))
        if answered != len(self.ids) or answered != STEPS:
            wrong.append(f"{self.name} made {len(self.ids)} calls, of which {answered} came back")
        if idle := self.stage.unfired_faults():
            wrong.append(f"{self.name} never saw its faults {idle}")
        return wrong


def _function(tool: dict[str, Any]) -> dict[str, Any]:
    return {name: tool[name] for name in ("name", "description", "parameters")}


async def in_parallel(plays: int, *, at_once: int, app: App) -> list[str]:
    """Play so many on an app, so many of them at a time; gives what is wrong, in sentences."""
    room = asyncio.Semaphore(at_once)
    made = [Play(number) for number in range(plays)]
    async with Server(app) as server:
        port = int(server.url.rsplit(":", 1)[1])

        async def one(play: Play) -> list[str]:
            async with room:
                app.stages[play.name] = play.stage
                try:
                    async with asyncio.timeout(PATIENCE_S):
                        heard = await play.run(port)
                        await play.stage.settled()
                        await play.closed()  # the server has to hear that its client is gone
                except TimeoutError:
                    return [f"{play.name} is lost: it was not over after {PATIENCE_S} s"]
                finally:
                    await app.stages.pop(play.name).close()
                return play.complaints(heard)

        wrong = [said for told in await asyncio.gather(*map(one, made)) for said in told]
    ids = Counter(id_ for play in made for id_ in play.ids)
    wrong += [f"{id_} is the id of {times} calls" for id_, times in ids.items() if times > 1]
    wrong += [f"faultloop failed in {name}: {error}" for name, error in app.failures.items()]
    left = [weakref.ref(play.stage.history) for play in made]
    made.clear()
    gc.collect()
    wrong += ["a stage was left behind" for history in left if history() is not None]
    return wrong + [f"{task} was left behind" for task in _others()]


def _all(kind: type[E], entries: Iterable[AnyEntry]) -> list[E]:
    return [entry for entry in entries if isinstance(entry, kind)]


def _others() -> set[asyncio.Task[Any]]:
    mine = asyncio.current_task()
    return {task for task in asyncio.all_tasks() if task is not mine}


def figures(plays: int, at_once: int) -> Figures:
    """How many were lost, crossed or left behind, and plays a second."""
    began_s = time.perf_counter()
    wrong = asyncio.run(in_parallel(plays, at_once=at_once, app=App()))
    return float(len(wrong)), plays / (time.perf_counter() - began_s)


@contextmanager
def _at_once_and_alone() -> Iterator[Sides]:
    yield Sides(measured=lambda: figures(PLAYS, PLAYS), baseline=lambda: figures(ALONE, 1))


PARALLEL = (
    Measurement(
        name="parallel",
        says=f"{PLAYS} plays on one server at once, each checked by what was said in it: streamed "
        "and whole, with calls, faults and clients that let go (client and server in one process)",
        against=f"{ALONE} of them, one after the other",
        figures=(
            Figure(name="lost, crossed or left", unit="faults", bound=Bound("under", 1)),
            Figure(name="speed", unit="plays/s"),
        ),
        open=_at_once_and_alone,
        rounds=1,
        budget_s=10,
        warms_up=False,
    ),
)
