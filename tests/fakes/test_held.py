"""Held work: who waits for what, and how each is let go of."""

import asyncio
from collections.abc import Callable, Coroutine

import pytest

from faultloop.fakes import clock
from faultloop.fakes.held import Held


def at_the_simulated_clock(told: Callable[[Held], Coroutine]) -> None:
    async def main() -> None:
        await told(Held())

    clock.run(main, seed=1)


def test_an_open_gate_holds_nobody():
    async def passes(held: Held) -> None:
        held.open_gate()
        assert await held.at_gate(asyncio.Event())

    at_the_simulated_clock(passes)


def test_a_client_that_is_gone_already_is_not_waited_for():
    async def is_let_go(held: Held) -> None:
        gone = asyncio.Event()
        gone.set()
        assert not await held.at_gate(gone)
        assert not await held.for_s(60, gone)
        await held.until(gone)
        assert clock.sim_loop().time() == 0

    at_the_simulated_clock(is_let_go)


def test_closing_sees_off_all_who_wait():
    async def closes(held: Held) -> None:
        waits = (held.for_ever(), held.at_gate(), held.until(asyncio.Event()))
        tasks = [asyncio.create_task(wait) for wait in waits]
        await asyncio.wait(tasks, timeout=60)

        await held.close()

        assert [task.cancelled() for task in tasks] == [True, True, True]

    at_the_simulated_clock(closes)


def test_an_event_of_another_loop_does_not_pass_for_one_that_was_set():
    foreign = asyncio.Event()

    async def binds() -> None:
        await asyncio.wait({asyncio.create_task(foreign.wait())}, timeout=1)

    async def is_refused(held: Held) -> None:
        with pytest.raises(RuntimeError, match="different event loop"):
            await held.until(foreign)

    clock.run(binds, seed=1)
    at_the_simulated_clock(is_refused)


class StallingLoop(asyncio.SelectorEventLoop):
    """A machine that does nothing for a while, and then everything at once."""

    stalled_s = 0.0

    def time(self) -> float:
        return super().time() + self.stalled_s


def test_a_machine_that_stalls_does_not_make_others_late():
    loop = StallingLoop()

    async def main() -> bool:
        arrival = asyncio.Event()

        def stalls() -> None:
            loop.stalled_s = 3_600.0
            loop.call_soon(arrival.set)

        loop.call_soon(stalls)
        return await Held().moved(arrival, within_s=600.0, gone=asyncio.Event())

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        assert runner.run(main())
