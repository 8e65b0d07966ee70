"""One session of the loop under test: its model, its tools, and a disk that outlives its processes.

    session = Session(kit, call(Ask("act")), say("ok"), tools=[session_tool])
    async def story(): ...          # against session.agent(), the host API
    play(story)                     # virtual time, an hour at most
    session.of(TurnEnded)           # the journal is the witness

Every agent of a session is a start of its own on the same disk. `saves` counts the records after
each append: the only places where a crash can leave the journal, for an append is all or nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from faultloop.bench.drills.kit.drill import Hung
from faultloop.bench.drills.kit.model import Line, Scripted
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.toys import PARAMETERS, Body, Toy, done
from faultloop.fakes.clock import Deadlock, Livelock, run
from faultloop.loop.checking import Permit
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent
from faultloop.loop.hooks import NO_HOOKS, Hooks
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.journal.port import Journal
from faultloop.loop.landmarks import SILENT, Landmarks
from faultloop.loop.policy import Policy
from faultloop.loop.run_events import AnyRunEvent

T = TypeVar("T")

STORY_S = 3_600.0
"""Virtual seconds for a story; what takes longer never ends."""

APPENDS_MAX = 5_000
"""More than this is a loop that begins one thing after the other without ever waiting; the clock
cannot see it, so the disk is full then."""

SEED = 1


def play(story: Callable[[], Coroutine[Any, Any, T]], *, seed: int = SEED) -> T:
    """Play a story to its end in virtual time. Raises Hung where the end never comes."""

    async def bounded() -> T:
        async with asyncio.timeout(STORY_S):
            return await story()

    try:
        with _quiet():
            return run(bounded, seed=seed)
    except TimeoutError:
        raise Hung(f"the loop hung: no end within {STORY_S:g} s") from None
    except (Deadlock, Livelock) as endless:
        raise Hung(f"the loop hung: {endless}") from endless


@contextmanager
def _quiet() -> Iterator[None]:
    """What the loop logs of staged trouble is no news."""
    logger = logging.getLogger("faultloop.loop")
    propagated = logger.propagate
    handler = logging.NullHandler()
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagated


async def within(seconds: float, what: str, waiting: Coroutine[Any, Any, T]) -> T:
    """Wait for something that must happen. Raises Hung, in the words of `what`, if it does not."""
    try:
        async with asyncio.timeout(seconds):
            return await waiting
    except TimeoutError:
        raise Hung(f"{what} did not happen within {seconds:g} s") from None


def toy(kit: Kit, name: str, body: Body = done, **declared: Any) -> Toy:
    """A tool of one optional text parameter, `x`; what is not declared is on the careful side."""
    contract = kit.contract(name=name, purpose="a toy", parameters=PARAMETERS, **declared)
    return Toy(contract, body)


class Session:
    """A session, and all that is known of it."""

    def __init__(
        self,
        kit: Kit,
        *lines: Line,
        tools: Sequence[Toy] = (),
        store: list[bytes] | None = None,
        **knobs: Any,
    ) -> None:
        """`knobs` are fields of the policy; `store` is a disk that something is on already."""
        self.kit = kit
        self.model = Scripted(*lines)
        self.tools = tuple(tools)
        self.store: list[bytes] = [] if store is None else store
        self.policy: Policy = kit.policy(replace(kit.base, **knobs))
        self.heard: list[AnyRunEvent] = []
        """What subscribers of `listened` agents were told."""
        self.saves: list[int] = []
        self.landmarks: Landmarks = SILENT
        """Nobody watches, as in the loop that ships; a drill may set somebody who does."""

    def agent(
        self, *, permit: Permit | None = None, system: str = "", hooks: Hooks = NO_HOOKS
    ) -> Agent:
        """A start of the session, on what the disk holds."""
        tools = self.kit.registry([self.kit.tool(tool) for tool in self.tools])
        return self.kit.agent(
            provider=self.model,
            tools=tools,
            journal=_Saving(self.kit.journal(self.store), self.store, self.saves),
            session="session",
            policy=self.policy,
            permit=permit,
            system=system,
            hooks=hooks,
            landmarks=self.landmarks,
        )

    def listened(self, **options: Any) -> Agent:
        """The same, with somebody who writes down all run events."""
        agent = self.agent(**options)
        agent.subscribe(self.heard.append)
        return agent

    @property
    def events(self) -> list[AnyEvent]:
        """The journal, read by the right reader whatever wrote it."""
        return MemoryJournal(list(self.store)).load()

    def of(self, kind: type[T]) -> list[T]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def position(self, kind: type[AnyEvent] | Any) -> int:
        """Where the first event of a kind is in the journal; -1 if it has none."""
        places = (place for place, event in enumerate(self.events) if isinstance(event, kind))
        return next(places, -1)

    def crashed(self, save: int, *lines: Line) -> Session:
        """The session as a crash after the nth append leaves it, with other lines to come."""
        after = Session(self.kit, *lines, tools=self.tools, store=self.store[: self.saves[save]])
        after.policy = self.policy
        return after


class _Saving:
    """The journal, and a note of how much is on the disk after each append."""

    def __init__(self, journal: Journal, store: list[bytes], saves: list[int]) -> None:
        self._journal = journal
        self._store = store
        self._saves = saves

    def append(self, *events: AnyEvent) -> None:
        if len(self._saves) > APPENDS_MAX:
            raise OSError(f"the loop has made {APPENDS_MAX} appends and does not come to an end")
        self._journal.append(*events)
        self._saves.append(len(self._store))

    def load(self) -> list[AnyEvent]:
        return self._journal.load()

    def close(self) -> None:
        self._journal.close()
