"""Measurements: how many rounds are made, and what comes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from faultloop.bench.perf.__main__ import MEASUREMENTS
from faultloop.bench.perf.measurement import Figure, Figures, Measured, Measurement, Sides, take

MACHINE_S_MAX = 285
"""What all of them together may take, whatever the machine; opening and warming up come on top."""


class Bench:
    """Both sides of a measurement, on a clock that a round moves by ten seconds."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.made: list[str] = []

    def clock(self) -> float:
        self.now_s += 1e-6  # as any clock does that is read
        return self.now_s

    def side(self, name: str, value: float) -> Callable[[], Figures]:
        def measure() -> Figures:
            self.now_s += 5
            self.made.append(name)
            return (value * len(self.made),)

        return measure

    @contextmanager
    def open(self) -> Iterator[Sides]:
        yield Sides(self.side("measured", 2.0), self.side("baseline", 1.0))

    def take(self, *, rounds: int | None = None, warms_up: bool = False) -> list[Measured]:
        measurement = Measurement(
            name="toy",
            says="a toy",
            against="nothing",
            figures=(Figure(name="speed", unit="toys/s"),),
            open=self.open,
            rounds=7,
            budget_s=35,
            warms_up=warms_up,
        )
        return list(take(measurement, rounds, clock=self.clock))


@pytest.mark.parametrize(
    ("rounds", "warms_up", "calls"),
    [(None, False, 6), (None, True, 8), (1, False, 2), (5, False, 10)],
    ids=["what fits", "warm-up does not count", "fewer", "more than fits, where asked for"],
)
def test_no_round_is_begun_that_does_not_fit(
    rounds: int | None, warms_up: bool, calls: int
) -> None:
    bench = Bench()
    bench.take(rounds=rounds, warms_up=warms_up)
    assert bench.made == ["measured", "baseline"] * (calls // 2)


def test_a_ratio_is_that_of_one_round() -> None:
    (measured,) = Bench().take(rounds=1)
    assert (measured.value, measured.baseline, measured.ratio) == (2.0, 2.0, 1.0)


def test_all_measurements_together_fit_into_a_coffee_break() -> None:
    assert sum(one.budget_s for one in MEASUREMENTS.values()) <= MACHINE_S_MAX
