"""A play of the real tier: how long it takes when the loop is forked, and when it starts cold.

What is played is the loop that everybody starts with, on the official SDK, which takes a second or
two to import. The zygote has imported it before the first round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Literal

from faultloop.bench import subjects
from faultloop.bench.perf.measurement import Bound, Figure, Figures, Measurement, Sides
from faultloop.bench.perf.workload import WORKLOAD
from faultloop.scenarios.house import open_house
from faultloop.scenarios.play import Order
from faultloop.scenarios.subject import Column
from faultloop.scenarios.subjects.declaration import read_declaration
from faultloop.scenarios.subjects.process import ProcessSubject

NAIVE = Path(str(subjects.__file__)).parent / "naive_openai"


@contextmanager
def plays(mode: Literal["zygote", "cold"]) -> Iterator[Callable[[], Figures]]:
    """Single plays of the naive loop; each call is one, and gives its wall time."""
    declaration = read_declaration(NAIVE).model_copy(update={"mode": mode})
    subject = ProcessSubject(declaration, NAIVE)
    repeats = count()
    with open_house(subject, parallel=1) as house:

        def play() -> Figures:
            order = Order(
                scenario=WORKLOAD,
                subject=subject,
                column=Column(streaming=True),
                seed=1,
                repeat=next(repeats),
            )
            (done,) = house.play([order])
            if done.crash or done.not_applicable:
                raise RuntimeError(done.crash or done.not_applicable)
            return (done.wall_s,)

        yield play


@contextmanager
def _both() -> Iterator[Sides]:
    with ExitStack() as houses:
        yield Sides(houses.enter_context(plays("zygote")), houses.enter_context(plays("cold")))


FORKED = (
    Measurement(
        name="zygote",
        says="a real play of naive-openai, forked",
        against="the same from a cold start",
        figures=(Figure(name="wall time", unit="s", bound=Bound("under", 0.6)),),
        open=_both,
        rounds=7,
        budget_s=12,
    ),
)
