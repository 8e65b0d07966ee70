"""Where the time of a simulated play goes: shares by part, through httpx and the direct port.

A profiler counts each function's own time, and `PARTS` says whose it is; what a built-in function
takes belongs to whoever called it, unless the table knows better. Profiling costs more for many
small functions than for few large ones, so these are shares to compare and no times to quote.
"""

from __future__ import annotations

import cProfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from types import CodeType
from typing import NamedTuple

from faultloop.bench.perf.measurement import Figure, Figures, Measurement, Sides
from faultloop.bench.perf.sim import must_hold, playing
from faultloop.scenarios.play import Done
from faultloop.scenarios.subject import Column

PLAYS = 20
REST = "all else"


class Part(NamedTuple):
    """A part of a play's work, and how its functions are known."""

    name: str
    files: tuple[str, ...]
    """Pieces of the paths of its files."""
    built_in: tuple[str, ...] = ()
    """Pieces of the names of built-in functions that are always its own."""


PARTS = (
    Part("journal", ("faultloop/loop/journal/", "faultloop/loop/lease/")),
    Part(
        "validation",
        tuple(
            f"faultloop/loop/{name}" for name in ("arguments", "repairs", "complaint", "contract/")
        ),
        ("jsonschema_rs", "is_valid"),
    ),
    Part(
        "decoding",
        tuple(
            f"faultloop/loop/{name}"
            for name in (
                "strict_json",
                "assembler",
                "providers/event_stream",
                "providers/openai_chat_reply",
            )
        ),
    ),
    Part("loop", ("faultloop/loop/",)),
    Part("event loop", ("/asyncio/", "fakes/clock.py", "fakes/processes.py")),
    Part("fakes", ("faultloop/fakes/",)),
    Part(
        "judging",
        tuple(
            f"faultloop/scenarios/{name}"
            for name in (
                "checks/",
                "views/",
                "argument_text",
                "conversation_text",
                "evidence",
                "judge",
                "not_run",
                "phrases",
                "pieces",
                "telling",
                "tool_facts",
                "verdict",
                "wording",
            )
        ),
    ),
    Part("playing", ("faultloop/scenarios/", "faultloop/bench/")),
    Part("httpx", ("/httpx/", "/httpcore/", "/h11/", "/anyio/")),
)
"""Read from the top: a function belongs to the first part that knows it."""

NAMES = (*(part.name for part in PARTS), REST)


def shares(work: Callable[[], object]) -> dict[str, float]:
    """Percent of the profiled time, by part."""
    profile = cProfile.Profile()
    profile.runcall(work)
    spent: defaultdict[str, float] = defaultdict(float)
    for entry in profile.getstats():
        if not isinstance(entry.code, CodeType):
            continue  # counted below, with its callers
        mine = part_of(entry.code.co_filename)
        spent[mine] += entry.inlinetime
        for called in entry.calls or ():
            if isinstance(called.code, str):
                spent[part_of_built_in(called.code) or mine] += called.inlinetime
    whole = sum(spent.values())
    return {name: 100 * spent[name] / whole for name in NAMES}


def part_of(file: str) -> str:
    """The part that a file's functions belong to."""
    return next((part.name for part in PARTS if any(one in file for one in part.files)), REST)


def part_of_built_in(name: str) -> str | None:
    """The part that a built-in function belongs to, whoever calls it; None: its caller's."""
    return next((part.name for part in PARTS if any(one in name for one in part.built_in)), None)


def _figures(play: Callable[[], Done]) -> Figures:
    def plays() -> None:
        for _ in range(PLAYS):
            must_hold(play())

    found = shares(plays)
    return tuple(found[name] for name in NAMES)


@contextmanager
def _through_both() -> Iterator[Sides]:
    column = Column(streaming=True)
    with playing("http", column, count()) as http, playing("direct", column, count()) as direct:
        yield Sides(measured=partial(_figures, http), baseline=partial(_figures, direct))


SPLIT = (
    Measurement(
        name="sim-split",
        says="shares of a streamed play through httpx, judged, as a profiler sees them",
        against="the same through the direct port",
        figures=tuple(Figure(name=name, unit="%") for name in NAMES),
        open=_through_both,
        rounds=3,
        budget_s=9,
    ),
)
