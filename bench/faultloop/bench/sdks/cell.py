"""A cell of the matrix, and a row: what is played in each of its cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import version
from typing import NamedTuple

from faultloop.bench.sdks.ears import Ear
from faultloop.bench.sdks.scene import Scene


class Mark(StrEnum):
    """What a cell comes to."""

    GREEN = "green"
    """The SDK parsed what the script says."""
    LIMIT = "limit"
    """It cannot, by a known limit of its own."""
    NONE = "none"
    """There is no such thing here."""
    RED = "red"
    """Something is wrong: here, in the SDK, or with a reason that is given for nothing."""


class Cell(NamedTuple):
    """One row for one dialect in one form."""

    row: str
    dialect: str
    streamed: bool
    mark: Mark
    why: str = ""
    """In sentences; empty where it is green."""

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.row}, {self.dialect} {'streamed' if self.streamed else 'whole'}"


class Case(NamedTuple):
    """Where a row is played."""

    scene: Scene
    ear: Ear
    streamed: bool


BOTH = (False, True)
STREAMED = (True,)
WHOLE = (False,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One kind of thing that is said, put to all SDKs."""

    name: str
    about: str
    """In a sentence: what has to be right."""
    play: Callable[[Case], Iterable[str]]
    """What is wrong in one cell, a sentence each; nothing where the SDK parsed what was meant."""
    forms: tuple[bool, ...] = BOTH
    """In which it exists, streamed or not."""
    unformed: str = ""
    """Why it exists in one form only."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """By dialect: why there is no such thing, and what there is."""
    limits: Mapping[str, str] = field(default_factory=dict)
    """By dialect: a known limit of its SDK, because of which it goes wrong there."""


def cell(row: Row, case: Case) -> Cell:
    """Play one cell."""
    dialect = case.ear.dialect

    def came(mark: Mark, why: str = "") -> Cell:
        return Cell(row.name, dialect, case.streamed, mark, why)

    if dialect in row.instead:
        return came(Mark.NONE, row.instead[dialect])
    if case.streamed not in row.forms:
        return came(Mark.NONE, row.unformed)
    try:
        wrong = list(row.play(case))
    except Exception as error:  # an SDK raises what it likes
        wrong = [f"{type(error).__name__}: {str(error)[:300]}"]
    limit = row.limits.get(dialect)
    if limit is None:
        return came(Mark.RED, "; ".join(wrong)) if wrong else came(Mark.GREEN)
    if not wrong:
        return came(Mark.RED, f"the SDK can do this by now, and is said to have a limit: {limit}")
    return came(Mark.LIMIT, f"{case.ear.package} {version(case.ear.package)}: {limit}")
