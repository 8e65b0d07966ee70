"""The simulated clock: same seed, same play; time jumps; the dead do not move."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
import pytest

from faultloop.fakes import clock

SEEDS = range(20)


async def _contended() -> tuple[str, ...]:
    """Four tasks that meet at a lock, a queue and two timers."""
    trace: list[str] = []
    lock, queue = asyncio.Lock(), asyncio.Queue[str]()

    async def worker(name: str) -> None:
        for round_ in range(3):
            async with lock:
                trace.append(f"{name} locked {round_}")
                await asyncio.sleep(0)
            queue.put_nowait(f"{name} put {round_}")
            trace.append(await queue.get())
            await asyncio.sleep(0.5 * (round_ % 2))

    async with asyncio.TaskGroup() as group:
        for name in "abcd":
            group.create_task(worker(name))
    return tuple(trace)


async def _address_ordered() -> tuple[str, ...]:
    """What iterates over sets of tasks: `wait`, an aborted group, a cancelled gather."""
    trace: list[str] = []

    async def victim(name: str) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            trace.append(name)

    async def failing() -> None:
        await asyncio.sleep(1)
        raise ValueError

    try:
        async with asyncio.TaskGroup() as group:
            for index in range(12):
                group.create_task(victim(f"group {index}"))
            group.create_task(failing())
    except* ValueError:
        trace.append("group failed")

    loop = asyncio.get_running_loop()
    tasks = {loop.create_task(victim(f"wait {index}")) for index in range(12)}
    done, _ = await asyncio.wait(tasks, timeout=90)
    trace += [task.get_name() for task in done]
    futures = {loop.create_future() for _ in range(12)}
    names = {future: str(index) for index, future in enumerate(sorted(futures, key=hash))}
    for future in futures:
        loop.call_soon(future.set_result, None)
    done_futures, _ = await asyncio.wait(futures)
    trace += [names[future] for future in done_futures]

    gathered = asyncio.gather(*(victim(f"gather {index}") for index in range(12)))
    loop.call_later(1, gathered.cancel)
    try:
        await gathered
    except asyncio.CancelledError:
        trace.append("gather cancelled")
    return tuple(trace)


@pytest.mark.parametrize("story", [_contended, _address_ordered])
def test_the_same_seed_gives_the_same_trace_whatever_the_allocator_does(
    story: Callable[[], Coroutine[Any, Any, tuple[str, ...]]],
) -> None:
    traces = set()
    ballast: list[object] = []
    for size in range(25):
        # Holes of odd sizes, so that the next run's tasks land at other addresses.
        ballast += [bytearray(64 + 8 * (index * size % 61)) for index in range(200)]
        del ballast[:: 2 + size % 5]
        traces.add(clock.run(story, seed=7))
    assert len(traces) == 1


def test_different_seeds_give_different_traces() -> None:
    assert len({clock.run(_contended, seed=seed) for seed in SEEDS}) > len(SEEDS) / 2


def test_with_the_policy_fifo_the_seed_does_not_matter() -> None:
    assert len({clock.run(_contended, seed=seed, policy="fifo") for seed in SEEDS}) == 1


def test_time_is_virtual() -> None:
    async def main() -> tuple[float, float]:
        begin = clock.sim_loop().time()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(3600):
                await asyncio.sleep(86_400)
        return begin, clock.sim_loop().time()

    assert clock.run(main, seed=1) == (0.0, 3600.0)


def test_timers_that_were_cancelled_do_not_move_time() -> None:
    async def main() -> float:
        loop = clock.sim_loop()
        loop.call_later(1000, print).cancel()
        await asyncio.sleep(1)
        return loop.time()

    assert clock.run(main, seed=1) == 1.0


def test_callbacks_that_are_no_steps_of_tasks_keep_their_order() -> None:
    async def main() -> list[int]:
        seen: list[int] = []
        for index in range(20):
            asyncio.get_running_loop().call_soon(seen.append, index)
            asyncio.get_running_loop().create_task(asyncio.sleep(0))
        await asyncio.sleep(1)
        return seen

    for seed in SEEDS:
        assert clock.run(main, seed=seed) == list(range(20))


# --- processes ------------------------------------------------------------------------------


def test_nothing_of_a_killed_process_runs_again_not_even_finally() -> None:
    seen: list[str] = []

    async def subject() -> None:
        async def child() -> None:
            try:
                while True:
                    await asyncio.sleep(1)
                    seen.append("child")
            finally:
                seen.append("child's finally")

        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(child())
                asyncio.get_running_loop().call_later(5, seen.append, "a timer")
                await asyncio.sleep(60)
        finally:
            seen.append("finally")

    async def main() -> list[str]:
        loop = clock.sim_loop()
        with loop.process("start 1") as process:
            task = loop.create_task(subject())
        await asyncio.sleep(2.5)
        loop.kill_process("start 1")
        assert loop.is_dead("start 1")
        await asyncio.wait({task, process.death}, return_when=asyncio.FIRST_COMPLETED)
        assert loop.time() == 2.5
        await asyncio.sleep(120)
        gc.collect()
        return list(seen)

    assert clock.run(main, seed=1) == ["child", "child"]


def test_when_the_dead_are_unwound_they_find_everything_dead() -> None:
    found: list[object] = []

    async def subject(loop: clock.SimLoop) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            found.append(loop.is_dead("start 1"))
            found.append(clock.current_process())
            await asyncio.sleep(0)  # refuses to be closed once
            asyncio.create_task(subject(loop))  # noqa: RUF006  # never comes to be

    async def main() -> clock.Process:
        loop = clock.sim_loop()
        with loop.process("start 1") as process:
            loop.create_task(subject(loop))
        await asyncio.sleep(1)
        loop.kill_process("start 1")
        return process

    process = clock.run(main, seed=1)
    assert found == [True, process]


def test_unwinding_the_dead_makes_no_event_loop_that_nobody_closes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`gather` outside any loop would make one."""
    made: list[str] = []
    policy = asyncio.get_event_loop_policy()
    monkeypatch.setattr(policy, "new_event_loop", lambda: made.append("a loop"))

    async def subject() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.gather(asyncio.sleep(1))

    async def main() -> None:
        loop = clock.sim_loop()
        with loop.process("subject"):
            loop.create_task(subject())
        await asyncio.sleep(1)
        loop.kill_process("subject")

    clock.run(main, seed=1)
    assert made == []


def test_a_process_that_kills_itself_stops_at_its_next_await() -> None:
    async def subject(seen: list[str]) -> None:
        clock.sim_loop().kill_process("start 1")
        seen.append("the rest of the step")
        try:
            await asyncio.sleep(0)
            seen.append("the next step")
        finally:
            seen.append("finally")

    async def main() -> list[str]:
        seen: list[str] = []
        loop = clock.sim_loop()
        with loop.process("start 1") as process:
            loop.create_task(subject(seen))
        await process.death
        await asyncio.sleep(10)
        return list(seen)

    assert clock.run(main, seed=1) == ["the rest of the step"]


def test_bench_tasks_made_by_a_subject_outlive_it() -> None:
    async def main() -> str:
        loop = clock.sim_loop()
        answer: asyncio.Future[str] = loop.create_future()

        async def witness() -> None:
            assert clock.current_process() is None
            await asyncio.sleep(5)
            answer.set_result("the bench went on")

        async def subject() -> None:
            assert clock.current_process() is not None
            kept = clock.bench_task(witness())
            await kept

        with loop.process("start 1"):
            loop.create_task(subject())
        await asyncio.sleep(1)
        loop.kill_process("start 1")
        return await answer

    assert clock.run(main, seed=1) == "the bench went on"


def test_the_kernel_closes_what_the_dead_held_open() -> None:
    async def main() -> bool:
        loop = clock.sim_loop()
        closed = asyncio.Event()
        with loop.process("start 1") as process:
            process.at_death.append(closed.set)
        loop.kill_process("start 1")
        loop.kill_process("start 1")  # twice is once
        return await closed.wait()

    assert clock.run(main, seed=1)


def test_a_dead_process_cannot_be_entered_and_an_unknown_one_cannot_be_killed() -> None:
    async def main() -> None:
        loop = clock.sim_loop()
        with loop.process("start 1"):
            pass
        loop.kill_process("start 1")
        with pytest.raises(ValueError, match="'start 1' is dead"), loop.process("start 1"):
            raise AssertionError
        with pytest.raises(ValueError, match="no simulated process 'start 2'"):
            loop.kill_process("start 2")

    clock.run(main, seed=1)


# --- the ends -------------------------------------------------------------------------------


def test_a_deadlock_names_who_waits_where() -> None:
    async def main() -> None:
        await asyncio.Event().wait()

    with pytest.raises(clock.Deadlock, match=r"task 1 of the bench is at .*test_clock\.py:\d+ in"):
        clock.run(main, seed=1)


def test_a_loop_that_never_waits_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "STEPS_PER_INSTANT_MAX", 500)

    async def main() -> None:
        while True:
            await asyncio.sleep(0)

    with pytest.raises(clock.Livelock, match="time does not move"):
        clock.run(main, seed=1)


def test_living_tasks_that_are_left_behind_are_cancelled_and_may_clean_up() -> None:
    cleaned: list[float] = []

    async def leftover() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(2)
            cleaned.append(clock.sim_loop().time())

    async def main() -> None:
        asyncio.get_running_loop().create_task(leftover())
        await asyncio.sleep(1)

    clock.run(main, seed=1)
    assert cleaned == [3.0]


def test_a_task_that_refuses_to_end_does_not_hold_up_the_end() -> None:
    async def stubborn() -> None:
        while True:
            try:
                await asyncio.sleep(1)
            except asyncio.CancelledError:
                continue

    async def main() -> str:
        asyncio.get_running_loop().create_task(stubborn())
        await asyncio.sleep(1)
        return "over"

    assert clock.run(main, seed=1) == "over"


async def _socket() -> None:
    await asyncio.open_connection("127.0.0.1", 9)


async def _httpx() -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        try:
            await client.get("http://127.0.0.1:9/")
        except* clock.NotSimulated as group:  # anyio connects inside a task group
            raise group.exceptions[0] from None


async def _bare_socket() -> None:
    with socket.socket() as bare:
        bare.setblocking(False)
        await asyncio.get_running_loop().sock_connect(bare, ("127.0.0.1", 9))


async def _subprocess() -> None:
    await asyncio.create_subprocess_exec("true")


async def _thread() -> None:
    await asyncio.to_thread(print)


async def _name() -> None:
    await asyncio.get_running_loop().getaddrinfo("localhost", 80)


@pytest.mark.parametrize("reach", [_socket, _httpx, _bare_socket, _subprocess, _thread, _name])
def test_the_real_world_is_refused_at_once(reach: Callable[[], Coroutine[Any, Any, None]]) -> None:
    with pytest.raises(clock.NotSimulated, match="play this in the real tier"):
        clock.run(reach, seed=1)


def test_the_garbage_collector_is_off_meanwhile_and_on_afterwards() -> None:
    async def main() -> bool:
        return gc.isenabled()

    assert gc.isenabled()
    assert clock.run(main, seed=1) is False
    assert gc.isenabled()
