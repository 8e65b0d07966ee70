"""The matrix: all rows in all columns, and the kinds that were seen on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version

from faultloop.bench.sdks.cell import BOTH, Case, Cell, Mark, Row, cell
from faultloop.bench.sdks.conversations import CONVERSATIONS
from faultloop.bench.sdks.ears import open_ears
from faultloop.bench.sdks.failures import FAILURES
from faultloop.bench.sdks.kinds import Family
from faultloop.bench.sdks.replies import REPLIES
from faultloop.bench.sdks.scene import scene
from faultloop.bench.sdks.thoughts import THOUGHTS

ROWS: tuple[Row, ...] = (*REPLIES, *THOUGHTS, *CONVERSATIONS, *FAILURES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds:
    """One family of one dialect, after all rows were played."""

    dialect: str
    family: Family
    seen: frozenset[str]

    @property
    def wrong(self) -> tuple[str, ...]:
        """What does not add up."""
        return tuple(f"{self.dialect}: {sentence}" for sentence in self.family.wrong(self.seen))


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """What was found."""

    cells: tuple[Cell, ...]
    kinds: tuple[Kinds, ...]
    versions: Mapping[str, str]
    """Of the SDKs, by package."""
    packages: Mapping[str, str]
    """By dialect."""
    failures: tuple[str, ...] = ()
    """What went wrong in faultloop itself."""

    def at(self, row: str, dialect: str, *, streamed: bool) -> Cell:
        """One cell. Raises KeyError."""
        for each in self.cells:
            if (each.row, each.dialect, each.streamed) == (row, dialect, streamed):
                return each
        raise KeyError((row, dialect, streamed))

    def wrong(self) -> Iterator[str]:
        """All that is red, a sentence each."""
        for each in self.cells:
            if each.mark is Mark.RED:
                yield f"{each.name}: {each.why}"
        for kinds in self.kinds:
            yield from kinds.wrong
        yield from self.failures


def play(
    *, rows: tuple[Row, ...] = ROWS, seen: Callable[[Cell], object] = lambda _: None
) -> Matrix:
    """Play all of it; `seen` is called after each cell. Raises CannotListen."""
    cells: list[Cell] = []
    with scene() as on, open_ears() as ears:
        for row in rows:
            for ear in ears:
                for streamed in BOTH:
                    cells.append(cell(row, Case(on, ear, streamed)))
                    seen(cells[-1])
        return Matrix(
            cells=tuple(cells),
            kinds=tuple(
                Kinds(
                    dialect=ear.dialect,
                    family=family,
                    seen=frozenset(ear.seen.names.get(family.name, ())),
                )
                for ear in ears
                for family in ear.families
            ),
            versions={package: version(package) for package in {ear.package for ear in ears}},
            packages={ear.dialect: ear.package for ear in ears},
            failures=tuple(f"faultloop itself failed: {error!r}" for error in on.failures),
        )
