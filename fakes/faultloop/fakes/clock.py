"""The simulated clock: asyncio without an operating system, the same every time for the same seed.

`run(main, seed=7)` runs ordinary asyncio code to its end on a `SimLoop`. Three ideas make it:

*Time is a number.* There is no selector. When nothing is ready to run, the clock jumps to the next
timer: a retry that waits a minute costs microseconds. When there is no timer either, nothing can
ever happen again, and that is an error that names who waits where (`Deadlock`).

*Order is a seed.* Where several tasks could run next, a seeded generator picks one, so that every
seed is another interleaving. Callbacks that are no steps of tasks keep their order, because
asyncio's own machinery relies on it. Nothing else may decide anything: sets of tasks and futures
are ordered by creation, not by memory address (a set's order silently follows the allocator, and
then the same seed differs from run to run), and the garbage collector, whose finalizers schedule
work at moments that depend on everything else in this interpreter, is off meanwhile.

*A process is a name in a context.* Tasks and callbacks that are created inside `loop.process(name)`
belong to that process, and so does all that they create. Killing it is what SIGKILL is: not one of
its instructions runs again, no `except`, no `finally`; what it held open is closed by its kernel
(`Process.at_death`). The bench goes on, in the same loop. Whoever awaits something that only a dead
process would have completed waits for ever, as in life: race it against `Process.death`.

What can not be simulated is refused at once, by a sentence (`NotSimulated`). What can not be seen
from here is on the reader's honour: `time.sleep`, threads of one's own, `random` without a seed,
`time.monotonic`. Those are seen by running the same seed twice.
"""

from __future__ import annotations

import asyncio
import gc
import heapq
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from contextvars import Context, copy_context
from itertools import count
from random import Random
from typing import Any, Literal, TypeVar

from faultloop.fakes.processes import PROCESS, Process, SimFuture, SimTask, current_process
from faultloop.fakes.real_world import NotSimulated, without_the_real_world
from faultloop.fakes.unwinding import place, unwind

__all__ = [
    "Deadlock",
    "Livelock",
    "NotSimulated",
    "Policy",
    "Process",
    "SimLoop",
    "bench_task",
    "current_process",
    "run",
    "sim_loop",
]

T = TypeVar("T")
Policy = Literal["pick", "fifo"]
"""`pick`: among the tasks that could run, the seed decides. `fifo`: asyncio's own order."""

STEPS_PER_INSTANT_MAX = 1_000_000
"""More steps than this without the clock moving is a loop that never waits (about a second)."""
WIND_DOWN_S = 10.0
"""Virtual seconds that leftover tasks have for their clean-up once `main` is over."""


class Deadlock(RuntimeError):
    """Nothing is ready and no timer runs: those who wait will wait for ever.

    A play awaits its subject under a deadline, which is a timer; so this means a bug of the bench.
    """


class Livelock(RuntimeError):
    """Tasks keep each other busy and time stands still, such as `while True: await sleep(0)`."""


@without_the_real_world
class SimLoop(asyncio.BaseEventLoop):
    """An event loop under the simulated clock. Use `run`, which also cleans up after it."""

    # Kept by BaseEventLoop, which has been built around these names since Python 3.4.
    _ready: deque[Any]  # of asyncio.Handle, whose fields are not declared anywhere
    _scheduled: list[Any]  # of asyncio.TimerHandle, a heap by time
    _stopping: bool
    _closed: bool
    _timer_cancelled_count: int

    def __init__(self, seed: int, *, policy: Policy = "pick") -> None:
        super().__init__()
        self.steps = 0
        """Callbacks run so far; the same for the same seed."""
        self._now_s = 0.0
        self._steps_max = STEPS_PER_INSTANT_MAX
        self._clock_resolution = 1e-9
        self._pick = Random(seed).random if policy == "pick" else None
        self._serials = count(1)
        self._processes: dict[str, Process] = {}
        self._someone_died = False
        self._bench = copy_context()
        self._bench.run(PROCESS.set, None)

    # --- time and order ---------------------------------------------------------------------

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._now_s

    def _run_once(self) -> None:
        """Run callbacks until somebody calls `stop` (BaseEventLoop calls this in a loop)."""
        ready, timers = self._ready, self._scheduled
        while not self._stopping:
            while timers and timers[0]._when <= self._now_s:
                timer = self._popped(timers)
                if not timer._cancelled:
                    ready.append(timer)
            if not ready:
                self._jump()
                continue
            handle = self._next()
            if handle._cancelled or (self._someone_died and self._is_of_the_dead(handle)):
                continue
            self.steps += 1
            if self.steps > self._steps_max:
                raise Livelock(
                    f"{STEPS_PER_INSTANT_MAX:,} steps were run at virtual second {self._now_s:g} "
                    f"and time does not move: {self._who_waits()}"
                )
            handle._run()

    def _is_of_the_dead(self, handle: Any) -> bool:
        process = handle._context.get(PROCESS)
        return process is not None and process.dead

    def _popped(self, timers: list[Any]) -> Any:
        timer = heapq.heappop(timers)
        timer._scheduled = False
        self._timer_cancelled_count -= timer._cancelled
        return timer

    def _jump(self) -> None:
        """Nothing is ready: it becomes as late as it must for something to be."""
        timers = self._scheduled
        while timers and (timers[0]._cancelled or self._is_of_the_dead(timers[0])):
            self._popped(timers)
        if not timers:
            raise Deadlock(
                f"nothing can happen any more at virtual second {self._now_s:g}: "
                f"{self._who_waits()}"
            )
        self._now_s = timers[0]._when
        self._steps_max = self.steps + STEPS_PER_INSTANT_MAX

    def _next(self) -> Any:
        """The handle that runs now: any step of a task, or the first in line if it is none."""
        ready = self._ready
        if len(ready) > 1 and self._pick is not None and _is_step(ready[0]):
            index = int(self._pick() * len(ready))
            handle = ready[index]
            if _is_step(handle):
                del ready[index]
                return handle
        return ready.popleft()

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Run a callback as soon as it is its turn (asyncio's own, without its debug mode)."""
        if self._closed:
            raise RuntimeError("Event loop is closed")
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def _process_events(self, event_list: object) -> None:
        """There are none: nothing comes from outside."""

    def _write_to_self(self) -> None:
        """Nobody sleeps in a selector, so nobody must be woken."""

    def _asyncgen_firstiter_hook(self, agen: object) -> None:
        """Nobody asks for the generators that are under way: see `dissolve`."""

    # --- tasks and processes ----------------------------------------------------------------

    def create_future(self) -> SimFuture:
        """A future of this loop."""
        future = SimFuture(loop=self)
        future.serial = next(self._serials)
        return future

    def create_task(  # type: ignore[override]
        self,
        coro: Coroutine[Any, Any, T],
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> asyncio.Task[T]:
        """A task of this loop, and of the current process unless `context` says otherwise."""
        task = SimTask(
            coro,
            loop=self,
            serial=next(self._serials),
            name=name,
            context=copy_context() if context is None else context,
        )
        if task.process is not None and task.process.dead:
            task.process.remains.append(task)
        return task

    @contextmanager
    def process(self, name: str) -> Iterator[Process]:
        """What is created inside belongs to the process `name`, which begins if it is new."""
        process = self._processes.get(name)
        if process is None:
            process = self._processes[name] = Process(name, self.create_future())
        if process.dead:
            raise ValueError(
                f"the simulated process {name!r} is dead: the next one needs a new name"
            )
        token = PROCESS.set(process)
        try:
            yield process
        finally:
            PROCESS.reset(token)

    def kill_process(self, name: str) -> None:
        """From now on nothing of the process runs. May be called from inside it: then the step
        that calls goes on to its next `await`, which had better follow at once.
        """
        process = self._processes.get(name)
        if process is None:
            raise ValueError(f"there is no simulated process {name!r} to kill")
        if process.dead:
            return
        process.dead = self._someone_died = True
        process.remains = [task for task in self._unfinished() if task.process is process]
        process.death.set_result(None)
        for hook in process.at_death:
            self.call_soon(hook, context=self.bench_context())

    def is_dead(self, name: str) -> bool:
        """Whether the process was killed, or the whole simulation is over."""
        process = self._processes.get(name)
        return self.is_closed() or (process is not None and process.dead)

    def bench_context(self) -> Context:
        """A context for tasks that no kill may touch; a new copy each time."""
        return self._bench.copy()

    # --- the end ----------------------------------------------------------------------------

    def dissolve(self) -> None:
        """End what is left, then close: living tasks are cancelled, dead ones are never run.

        The coroutines of the dead must go in the end, and Python runs their `finally` as they do.
        That happens here, after all else: the loop is closed, `is_dead` is true of everyone, and
        what they raise or complain of is nobody's business.
        """
        left = self._unfinished()
        living = [task for task in left if not task.is_dead]
        for task in living:
            task.cancel()
        if living:
            self._steps_max = self.steps + STEPS_PER_INSTANT_MAX
            with suppress(Deadlock, Livelock):
                self.run_until_complete(asyncio.wait(living, timeout=WIND_DOWN_S))
            left = self._unfinished()
        self.close()
        if left:
            unwind(((task, task.context) for task in left), self)
        self._processes.clear()

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Report an exception that nobody retrieved, unless the dead would have retrieved it."""
        future = context.get("future") or context.get("task")
        process = getattr(future, "process", None)
        is_orphan = isinstance(future, asyncio.Future) and not isinstance(future, SimTask)
        if (process is not None and process.dead) or (is_orphan and self._someone_died):
            return
        super().call_exception_handler(context)

    def _unfinished(self) -> list[SimTask]:
        tasks = (task for task in asyncio.all_tasks(self) if isinstance(task, SimTask))
        return sorted(tasks, key=lambda task: task.serial)

    def _living(self) -> list[SimTask]:
        return [task for task in self._unfinished() if not task.is_dead]

    def _who_waits(self) -> str:
        """For errors: every living task, whose it is, and the line where it is suspended."""
        lines = [
            f"{task.get_name()} of {task.process.name if task.process else 'the bench'} "
            f"is at {place(task.get_coro())}"
            for task in self._living()
        ]
        return "; ".join(lines) or "no task is left"


def _is_step(handle: Any) -> bool:
    return type(getattr(handle._callback, "__self__", None)) is SimTask


# --- entry points ---------------------------------------------------------------------------


def run(main: Callable[[], Coroutine[Any, Any, T]], *, seed: int, policy: Policy = "pick") -> T:
    """Run `main()` to its end under the simulated clock and return its result.

    Tasks that it leaves behind are cancelled; processes that were killed are disposed of silently.
    """
    loop = SimLoop(seed, policy=policy)
    collecting = gc.isenabled()
    gc.disable()
    try:
        try:
            return loop.run_until_complete(main())
        finally:
            loop.dissolve()
    finally:
        if collecting:
            gc.enable()


def sim_loop() -> SimLoop:
    """The running loop, which must be a simulated one."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, SimLoop):
        raise NotSimulated("this needs the simulated clock: run it through faultloop.fakes.clock")
    return loop


def bench_task(coro: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A task that belongs to the bench although a subject's code is what asks for it.

    On a loop that is not simulated it is an ordinary task.
    """
    loop = asyncio.get_running_loop()
    context = loop.bench_context() if isinstance(loop, SimLoop) else None
    return loop.create_task(coro, context=context)
