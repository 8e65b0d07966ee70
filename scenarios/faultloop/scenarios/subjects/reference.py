"""The reference loop as a subject of the sim tier: in this process, under the simulated clock.

It gets nothing that a stranger would not get: provider and tools over HTTP (in process), a message,
a cancel. A start is a simulated process; its journal's store is the disk that survives its kills.
With `port="direct"` the HTTP between loop and stage is left out, for speed.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from random import Random
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from faultloop.fakes.clock import bench_task, sim_loop
from faultloop.fakes.history import Account
from faultloop.fakes.stage import Stage
from faultloop.fakes.transport import StageTransport
from faultloop.loop.client import BareClient
from faultloop.loop.engine import Agent, Busy
from faultloop.loop.events import AnyEvent
from faultloop.loop.journal.memory import HEAD_BYTES, MemoryJournal
from faultloop.loop.landmarks import SILENT, Landmarks
from faultloop.loop.policy import REFERENCE, Policy
from faultloop.loop.providers.anthropic_messages import AnthropicMessages
from faultloop.loop.providers.gemini import Gemini
from faultloop.loop.providers.openai_chat import OpenAIChat
from faultloop.loop.providers.openai_responses import OpenAIResponses
from faultloop.loop.providers.port import Provider
from faultloop.loop.tools.http import discover
from faultloop.loop.tools.port import Tool
from faultloop.scenarios.subject import Brief, Capabilities, Outcome, Run, Session, Venue
from faultloop.scenarios.subjects.environment import KEY, MODEL
from faultloop.scenarios.subjects.reference_direct import DirectProvider, direct_tools
from faultloop.scenarios.subjects.reference_parts import (
    Assembly,
    Parts,
    assemble,
    live,
    policy_within,
)

KILLED = -9

Port = Literal["http", "direct"]

PROVIDERS: Mapping[str, Callable[[BareClient, str], Provider]] = MappingProxyType(
    {
        "openai_chat": lambda client, root: OpenAIChat(client, f"{root}/v1", KEY),
        "openai_responses": lambda client, root: OpenAIResponses(client, f"{root}/v1", KEY),
        "anthropic_messages": lambda client, root: AnthropicMessages(client, root, KEY),
        "gemini": lambda client, root: Gemini(client, root, KEY),
    }
)
"""By dialect: the client that speaks it."""


class ReferenceSubject:
    """The reference loop, or what an assembly makes of its parts."""

    def __init__(
        self,
        *,
        name: str = "reference",
        about: str = "The loop of this project, in process under a simulated clock.",
        assembly: Assembly = assemble,
        policy: Policy = REFERENCE,
        preset: str = "reference",
        port: Port = "http",
        dialects: tuple[str, ...] = ("openai_chat",),
    ) -> None:
        """`dialects`: those in which it is played, of `PROVIDERS`; all four take four times as
        long, and the direct port knows only the one."""
        self._name = name
        self._about = about
        self._assembly = assembly
        self._policy = policy
        self._port: Port = port
        self._capabilities = Capabilities(
            tier="sim",
            dialects=dialects,
            resume="continue",
            cancel="control",
            control="stdin",
            goals=True,
            keys=True,
            journal=True,
            policy=preset,
        )

    @property
    def name(self) -> str:
        """`reference`, or a mutant's."""
        return self._name

    @property
    def version(self) -> str:
        """It has the version of the project."""
        return "as checked out"

    @property
    def about(self) -> str:
        """One line for lists."""
        return self._about

    @property
    def capabilities(self) -> Capabilities:
        """It can do all that sim can."""
        return self._capabilities

    def open(self, venue: Venue) -> AbstractAsyncContextManager[Session]:
        """A session for one play."""
        return self._opened(venue)

    async def close(self) -> None:
        """Nothing is shared between plays."""

    @asynccontextmanager
    async def _opened(self, venue: Venue) -> AsyncIterator[Session]:
        yield ReferenceSession(venue, self._assembly, self._policy, self._port)


class ReferenceSession:
    """The reference within one play; the store of its journal is all that it remembers."""

    def __init__(self, venue: Venue, assembly: Assembly, policy: Policy, port: Port) -> None:
        self._venue = venue
        self._assembly = assembly
        self._policy = policy
        self._port: Port = port
        self._store: list[bytes] = []
        self._errors: list[str] = []

    async def start(self, brief: Brief) -> Run:
        """A new simulated process."""
        run = ReferenceRun(f"start {brief.start}", self._errors)
        run.begin(self._live(brief, run))
        return run

    def journal(self) -> Sequence[dict[str, Any]] | None:
        """All events, in their order."""
        events = b",".join([record[HEAD_BYTES:] for record in self._store])
        return msgspec.json.decode(b"[%b]" % events, type=list[dict[str, Any]])

    def stderr(self) -> str:
        """Tracebacks of starts that raised, which none should."""
        return "".join(self._errors)[-64 * 1024 :]

    async def _live(self, brief: Brief, run: ReferenceRun) -> Account:
        provider, tools = await self._reached(brief)
        run.agent = agent = self._assembly(
            Parts(
                provider=provider,
                tools=tools,
                journal=MemoryJournal(self._store),
                policy=policy_within(
                    deadline_s=brief.deadline_s,
                    max_steps=brief.max_steps,
                    streaming=self._venue.column.streaming,
                    base=self._policy,
                ),
                session=f"session-{self._venue.stage.plan.play}",
                random=Random(f"{self._venue.seed}/{brief.start}"),
                model=MODEL,
                landmarks=_landmarks(self._venue.stage, brief.start),
            )
        )
        fields = await live(agent, brief.input, brief.goal_rounds)
        await agent.close()
        recovered = tuple(turn["end_reason"] for turn in fields.pop("recovered"))
        fields.pop("turn")
        return Account(**fields, recovered=recovered)

    async def _reached(self, brief: Brief) -> tuple[Provider, tuple[Tool, ...]]:
        if self._port == "direct":
            stage = self._venue.stage
            return DirectProvider(stage, brief.start), direct_tools(stage, brief.start)
        assert self._venue.app is not None, "the sim tier has an app"
        client = BareClient(StageTransport(self._venue.app))
        root = f"{self._venue.url}/{brief.start}"
        tools = await discover(client, f"{root}/tools")
        return PROVIDERS[self._venue.column.dialect](client, root), tools


class ReferenceRun:
    """One start: a simulated process with an agent in it."""

    def __init__(self, name: str, errors: list[str]) -> None:
        self.agent: Agent | None = None
        self._name = name
        self._errors = errors

    def begin(self, life: Coroutine[Any, Any, Account]) -> None:
        """Bring the process to life."""
        loop = sim_loop()
        with loop.process(self._name) as self._process:
            self._task = loop.create_task(life, name=self._name)

    async def wait(self) -> Outcome:
        """Wait for its account or its death; a process that ends takes its connections with it."""
        await _first(self._task, self._process.death)
        if not self._task.done():
            return Outcome(how="killed", exit_code=KILLED, account=Account())
        await self.kill()
        error = self._task.exception()
        if error is not None:
            self._errors.extend(traceback.format_exception(error))
            account = Account(end_reason="error", error=f"{type(error).__name__}: {error}")
            return Outcome(how="exited", exit_code=1, account=account)
        account = self._task.result()
        code = int(account.end_reason != "completed")
        return Outcome(how="exited", exit_code=code, account=account)

    async def kill(self) -> None:
        """Nothing of it runs again."""
        sim_loop().kill_process(self._name)

    async def clear(self) -> int:
        """A process under the simulated clock has no children."""
        await self.kill()
        return 0

    async def cancel(self) -> None:
        """Fire the agent's signal."""
        if self.agent is not None:
            with sim_loop().process(self._name):
                self.agent.cancel()

    async def say(self, kind: Literal["message", "steer", "follow_up"], text: str) -> None:
        """Speak to the agent, and return once that is acknowledged."""
        if self._process.dead or self.agent is None:
            return
        loop = sim_loop()
        with loop.process(self._name):
            said = loop.create_task(_said(self.agent, kind, text))
        await _first(said, self._process.death)


async def _first(*futures: asyncio.Future[Any]) -> None:
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)


async def _said(agent: Agent, kind: Literal["message", "steer", "follow_up"], text: str) -> None:
    match kind:
        case "steer":
            await agent.steer(text)
        case "follow_up":
            await agent.follow_up(text)
        case "message":
            try:
                await agent.prompt(text)
            except Busy:
                return  # refused, and the user was told (SPEC L14)


class _StageLandmarks:
    """Announces the loop's own landmarks to the stage."""

    def __init__(self, stage: Stage, start: int) -> None:
        self._stage = stage
        self._start = start

    async def reach(self, name: str, events: Sequence[AnyEvent] = ()) -> None:
        kinds = [str(event.__struct_config__.tag) for event in events]
        # A task of the bench: the kill that may happen there must not die with its victim.
        await bench_task(self._stage.reached(self._start, name, kinds))


def _landmarks(stage: Stage, start: int) -> Landmarks:
    """Silent where nothing is staged at the loop's own landmarks, which is nearly always."""
    staged = any(trigger.at.endswith("_journal") for trigger in stage.plan.triggers)
    return _StageLandmarks(stage, start) if staged else SILENT
