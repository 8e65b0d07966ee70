"""Silence: one timer for many signs of life."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from faultloop.fakes import clock
from faultloop.loop.silence import Silence

BOUND_S = 10.0
SPAN_S = 4.0


def ends_after(story: Callable[[Silence], Awaitable[None]], bound_s: float | None) -> float:
    """Virtual seconds until the story is over, or until it was silent for too long."""

    async def main() -> float:
        began_s = asyncio.get_running_loop().time()
        try:
            async with Silence(bound_s) as silence:
                await story(silence)
        except TimeoutError:
            return began_s - asyncio.get_running_loop().time()
        return asyncio.get_running_loop().time() - began_s

    return clock.run(main, seed=1)


async def nothing_comes(_: Silence) -> None:
    await asyncio.sleep(100 * BOUND_S)


async def comes_and_stops(silence: Silence) -> None:
    for _ in range(5):
        await asyncio.sleep(SPAN_S)
        silence.heard()
    await asyncio.sleep(100 * BOUND_S)


async def goes_on(silence: Silence) -> None:
    for _ in range(5):
        await asyncio.sleep(SPAN_S)
        silence.heard()


async def is_paused(silence: Silence) -> None:
    silence.pause()
    await asyncio.sleep(5 * BOUND_S)
    silence.heard()


async def is_silent_after_a_pause(silence: Silence) -> None:
    await is_paused(silence)
    await asyncio.sleep(100 * BOUND_S)


async def is_over(silence: Silence) -> None:
    silence.over()
    await asyncio.sleep(5 * BOUND_S)


@pytest.mark.parametrize(
    ("story", "seconds"),
    [
        (nothing_comes, -BOUND_S),
        (comes_and_stops, -(5 * SPAN_S + BOUND_S)),
        (goes_on, 5 * SPAN_S),
        (is_paused, 5 * BOUND_S),
        (is_silent_after_a_pause, -(6 * BOUND_S)),
        (is_over, 5 * BOUND_S),
    ],
)
def test_it_ends_when_nothing_came_for_so_long_and_not_before(
    story: Callable[[Silence], Awaitable[None]], seconds: float
) -> None:
    """Negative: it was ended."""
    assert ends_after(story, BOUND_S) == pytest.approx(seconds)


def test_without_a_bound_it_waits_for_ever() -> None:
    assert ends_after(nothing_comes, None) == pytest.approx(100 * BOUND_S)
