"""Houses: where the plays of a subject happen, and how many at once.

The sim house gives every play a simulated clock of its own and plays one after the other: nothing
is shared, so any play can be repeated alone, byte for byte. The real house has one server for all
plays (a play is a path of its own in the URL), a folder for each play, and as many plays at once as
it is told. Both hand plays out as they finish, so that an interrupt loses only what is under way.
A play that may have lacked nothing but a turn at the processor (`crowded`) counts only once it was
played again, alone, after the others.
"""

from __future__ import annotations

import asyncio
import gc
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Literal, Protocol

from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.server import Server
from faultloop.fakes.stage import Stage
from faultloop.fakes.yard import Yard
from faultloop.scenarios import crowded, room
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.play import Done, Order, Place, perform, told
from faultloop.scenarios.subject import BadSubject, Subject, Venue

SETTLE_S = 5.0
"""Bound on waiting for late work, which is never slow: it only stands at an open gate."""
SIM_URL = "http://stage.invalid"
"""Leads to the app without a network; `.invalid` so that it can never lead elsewhere (RFC 6761)."""


class House(Protocol):
    """Plays orders for one subject."""

    def play(self, orders: Iterable[Order]) -> Iterator[Done]:
        """Play them all; each is handed out as soon as it is over.

        Raises BadSubject where the subject's declaration is wrong, and room.NoRoom where the disk
        is full. What goes wrong in the bench itself is told in `Done.crash`, so that the other
        plays go on.
        """
        ...


@contextmanager
def open_house(subject: Subject, *, parallel: int = 4, port: int = 0) -> Iterator[House]:
    """The house of the subject's tier; `parallel` plays at once in the real one.

    The real one listens on `port` of the loopback interface, or on any free one where that is 0.

    Leaving it ends every process that its plays have started. Raises fakes.server.PortInUse and
    room.NoRoom.
    """
    if subject.capabilities.tier == "sim":
        with _loaded_for_good():
            yield SimHouse()
    else:
        with RealHouse(subject, parallel=parallel, port=port) as house:
            yield house


@contextmanager
def _loaded_for_good() -> Iterator[None]:
    """Spare the collector what was loaded before the first play: no play's garbage is in it."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def crashed(order: Order, error: BaseException) -> Done:
    """A play in which the bench failed: no evidence, and the reason."""
    return Done(
        order=order,
        evidence=Evidence(
            scenario=order.scenario,
            subject=order.subject.name,
            capabilities=order.subject.capabilities,
            column=order.column,
            history=(),
            times_s=(),
            ledger=(),
        ),
        crash=told(error),
    )


# --- sim ------------------------------------------------------------------------------------


class SimHouse:
    """Every play on a simulated clock of its own."""

    def play(self, orders: Iterable[Order]) -> Iterator[Done]:
        """One after the other."""
        for order in orders:
            try:
                yield clock.run(lambda: perform(order, _SimPlace()), seed=order.seed)  # noqa: B023
            except BadSubject:
                raise
            except Exception as error:
                yield crashed(order, error)


class _SimPlace:
    """Virtual time, no network."""

    tier: Literal["sim"] = "sim"

    def __init__(self) -> None:
        self._app = App()

    def clock(self) -> Callable[[], float]:
        return clock.sim_loop().time  # every play has a loop of its own, which begins at 0

    @asynccontextmanager
    async def venue(self, order: Order, stage: Stage) -> AsyncIterator[Venue]:
        play = stage.plan.play
        self._app.stages[play] = stage
        yield Venue(
            stage=stage,
            column=order.column,
            seed=order.seed,
            url=f"{SIM_URL}/r/{play}",
            app=self._app,
        )

    async def settled(self, order: Order, stage: Stage) -> None:
        if stage.is_settled:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                await stage.settled()

    def failures(self, play: str) -> Sequence[Exception]:
        return self._app.failures.get(play, ())


# --- real -----------------------------------------------------------------------------------


class RealHouse:
    """One event loop, one server, several plays at once."""

    def __init__(self, subject: Subject, *, parallel: int, port: int) -> None:
        self._subject = subject
        self._parallel = parallel
        self._port = port
        self._running: dict[asyncio.Task[Done], Order] = {}
        self._had_company: set[asyncio.Task[Done]] = set()

    def __enter__(self) -> RealHouse:
        self._runner = asyncio.Runner()
        self._held = AsyncExitStack()
        try:
            self._place = self._runner.run(self._open())
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def play(self, orders: Iterable[Order]) -> Iterator[Done]:
        """Up to `parallel` at once; then, one by one, those that were crowded."""
        once_more: list[Done] = []
        for done, had_company in self._played(iter(orders)):
            if had_company and crowded.may_lack_time(done):
                once_more.append(done)
            else:
                yield done
        for first in once_more:
            for done, _ in self._played(iter([first.order])):
                yield replace(done, again=crowded.WHY)

    def _played(self, waiting: Iterator[Order]) -> Iterator[tuple[Done, bool]]:
        """Each as it is over, with whether others were played beside it."""
        while finished := self._runner.run(self._some(waiting)):
            # What is raised comes last, so that every play that is over is handed out before it.
            for task in sorted(finished, key=lambda task: task.exception() is not None):
                had_company = task in self._had_company
                self._had_company.discard(task)
                yield self._result(task, self._running.pop(task)), had_company

    async def _open(self) -> Place:
        return await self._held.enter_async_context(real_place(self._subject, self._port))

    def _close(self) -> None:
        try:
            self._runner.run(self._end())
        finally:
            self._runner.close()

    async def _end(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._held.aclose()

    async def _some(self, waiting: Iterator[Order]) -> set[asyncio.Task[Done]]:
        """Keep the house full and wait until some plays are over."""
        for order in islice(waiting, self._parallel - len(self._running)):
            self._running[asyncio.create_task(perform(order, self._place))] = order
        if not self._running:
            return set()
        if len(self._running) > 1:
            self._had_company.update(self._running)
        over, _ = await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
        return over

    def _result(self, task: asyncio.Task[Done], order: Order) -> Done:
        error = task.exception()
        if isinstance(error, BadSubject | room.NoRoom) or not isinstance(error, Exception | None):
            raise error
        return task.result() if error is None else crashed(order, error)


@asynccontextmanager
async def real_place(subject: Subject, port: int = 0) -> AsyncIterator[Place]:
    """A server and a folder for plays of the subject, on the running loop."""
    app = App()
    with room.temporary_folder() as root:
        async with Server(app, port=port) as server:
            try:
                yield _RealPlace(app, server.url, root)
            finally:
                await subject.close()


class _RealPlace:
    """Wall time, a server, and a folder for each play."""

    tier: Literal["real"] = "real"

    def __init__(self, app: App, url: str, root: Path) -> None:
        self._app = app
        self._url = url
        self._root = root
        self._yards: dict[str, Yard] = {}

    def clock(self) -> Callable[[], float]:
        began_s = time.monotonic()
        return lambda: time.monotonic() - began_s

    def venue(self, order: Order, stage: Stage) -> AbstractAsyncContextManager[Venue]:
        return self._venue(order, stage)

    @asynccontextmanager
    async def _venue(self, order: Order, stage: Stage) -> AsyncIterator[Venue]:
        if order.play in self._app.stages:
            raise ValueError(f"the same play was ordered twice at once: {order.scenario.name}")
        folder = self._root / order.play
        self._app.stages[order.play] = stage
        try:
            with room.told(self._root):
                folder.mkdir()
                async with Yard(stage, folder / "yard") as yard:
                    self._yards[order.play] = yard
                    yield Venue(
                        stage=stage,
                        column=order.column,
                        seed=order.seed,
                        url=f"{self._url}/r/{order.play}",
                        state_dir=folder / "state",
                        environment=yard.environment,
                    )
        finally:
            self._yards.pop(order.play, None)
            del self._app.stages[order.play]
            shutil.rmtree(folder, ignore_errors=True)

    async def settled(self, order: Order, stage: Stage) -> None:
        await self._yards[order.play].settle(SETTLE_S)
        room.look(self._root)  # after all that the start has written, before anything concludes

    def failures(self, play: str) -> Sequence[Exception]:
        return self._app.failures.pop(play, ())
