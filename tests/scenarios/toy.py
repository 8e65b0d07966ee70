"""Subjects of a few lines that live under the simulated clock."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx

from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.history import Account
from faultloop.fakes.transport import StageTransport
from faultloop.scenarios.house import SimHouse
from faultloop.scenarios.play import Done, Order
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import (
    Brief,
    Capabilities,
    Column,
    Outcome,
    Resume,
    Venue,
)

COMPLETED = Account(end_reason="completed")

Life = Callable[["ToyRun", Brief], Awaitable[Account]]
"""What a toy does with a start."""


class ToyRun:
    """One start of a toy: a simulated process that runs its life."""

    def __init__(self, venue: Venue, brief: Brief, life: Life) -> None:
        assert isinstance(venue.app, App)
        self._name = f"start {brief.start}"
        self.heard: list[str] = []
        self.cancelled = asyncio.Event()
        self.client = httpx.AsyncClient(
            transport=StageTransport(venue.app), base_url=f"{venue.url}/{brief.start}"
        )
        with clock.sim_loop().process(self._name) as self._process:
            self._task: asyncio.Task[Account] = asyncio.ensure_future(life(self, brief))  # type: ignore[arg-type]

    async def call(self, tool: str, **args: Any) -> str:
        answer = await self.client.post(f"/tools/{tool}", json=args, timeout=None)
        return answer.text

    async def wait(self) -> Outcome:
        await asyncio.wait({self._task, self._process.death}, return_when=asyncio.FIRST_COMPLETED)
        if not self._task.done():
            return Outcome(how="killed", exit_code=-9, account=Account())
        return Outcome(how="exited", exit_code=0, account=self._task.result())

    async def kill(self) -> None:
        clock.sim_loop().kill_process(self._name)

    async def clear(self) -> int:
        clock.sim_loop().kill_process(self._name)
        return 0

    async def cancel(self) -> None:
        self.cancelled.set()

    async def say(self, kind: Literal["message", "steer", "follow_up"], text: str) -> None:
        self.heard.append(f"{kind}: {text}")


class Toy:
    """A subject that lives as a function says."""

    name = "toy"
    version = "1"
    about = ""

    def __init__(self, life: Life, resume: Resume = "session", run: type[ToyRun] = ToyRun) -> None:
        self._life = life
        self._run = run
        self.capabilities = Capabilities(tier="sim", resume=resume)
        self.briefs: list[Brief] = []

    def open(self, venue: Venue) -> Any:
        return self._opened(venue)

    async def close(self) -> None: ...

    @asynccontextmanager
    async def _opened(self, venue: Venue) -> AsyncIterator["Toy"]:
        self._venue = venue
        yield self

    async def start(self, brief: Brief) -> ToyRun:
        self.briefs.append(brief)
        return self._run(self._venue, brief, self._life)

    def journal(self) -> Sequence[dict[str, Any]] | None:
        return None

    def stderr(self) -> str:
        return "said by the toy"


def scenario(**parts: Any) -> Scenario:
    return Scenario.model_validate(
        {
            "schema": 1,
            "name": "toy",
            "claim": "A toy is played.",
            "claims": ["L1"],
            "checks": ["results_closed"],
            "world": {"files": {"notes.txt": ""}},
            "input": "Append a line.",
            "script": [{"say": "Done."}],
            "accept": [{}],
            "max_requests": 9,
            **parts,
        }
    )


def played(subject: Toy, **parts: Any) -> Done:
    order = Order(scenario=scenario(**parts), subject=subject, column=Column(), seed=7)
    (done,) = SimHouse().play([order])
    assert done.crash == ""
    return done


def of(done: Done, *kinds: type) -> list[Any]:
    return [entry for entry in done.evidence.history if isinstance(entry, kinds)]


async def append(run: ToyRun, brief: Brief) -> Account:
    """Append a line and be content."""
    await run.call("append_file", path="notes.txt", line=f"by start {brief.start}")
    return COMPLETED


def says(end_reason: str) -> Life:
    async def life(run: ToyRun, brief: Brief) -> Account:
        return Account(end_reason=end_reason)

    return life


async def forever(run: ToyRun, brief: Brief) -> Account:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


KILL_AFTER = {"at": "after_effect", "do": "kill", "tool": "append_file"}
CANCEL_IN_CALL = {"at": "call_arrived", "do": "cancel", "tool": "append_file"}
SLOW = {"kind": "tool_slow", "at": "tool append_file"}
DEAF = {"kind": "not_cancellable", "at": "tool append_file"}
