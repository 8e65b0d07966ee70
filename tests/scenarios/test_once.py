"""Once: work that follows from a frozen value alone is done once for it, and forgotten with it."""

import gc
from dataclasses import dataclass

from faultloop.scenarios.once import once


@dataclass(frozen=True)
class World:
    files: dict[str, str]


def test_the_work_is_done_once_for_a_value_and_again_for_its_equal():
    asked: list[World] = []

    @once
    def names(world: World) -> tuple[str, ...]:
        asked.append(world)
        return tuple(world.files)

    one, equal = World({"a": ""}), World({"a": ""})

    assert [names(one), names(one), names(equal)] == [("a",)] * 3
    assert [world is one for world in asked] == [True, False]


def test_what_was_worked_out_goes_with_its_value():
    times = 0

    @once
    def first(world: World) -> str:
        nonlocal times
        times += 1
        return next(iter(world.files))

    for number in range(100):  # one takes the other's place in memory
        assert first(World({f"file {number}": ""})) == f"file {number}"
        gc.collect(0)

    assert times == 100
