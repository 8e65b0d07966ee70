"""The page of the matrix: docs/sdks.md. What it says is what was measured when it was made."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from faultloop.bench.sdks.cell import BOTH, Cell, Mark, Row
from faultloop.bench.sdks.matrix import ROWS, Kinds, Matrix

PAGE = "sdks.md"

SIGNS = {Mark.GREEN: "✓", Mark.LIMIT: "!", Mark.NONE: "–", Mark.RED: "✗"}
LEGEND = (
    "✓ the SDK parsed what the script says; ! it cannot, by a limit of its own; – there is no such "
    "thing there; ✗ something is wrong."
)
FORMS = {False: "whole", True: "streamed"}

_HEAD = """\
# What the official SDKs make of the fake provider

<!-- Made by `make sdks`; a test holds it to what is measured. -->

The real server plays a script, an SDK asks, and what it parsed is held against the script. On the
way each reply and each event is also put to the SDK's own types in earnest: no field may be missing
that they want, and none may be there that they do not have.
"""

_KINDS = """\
## What is said of all that the SDKs know

Read from the types of each SDK, and compared with what went over the wire while the rows above
were played; globs come with the number of their names. A release that knows more turns the matrix
red until its new names are said or have a reason.
"""


def document(matrix: Matrix, rows: Sequence[Row] = ROWS) -> str:
    """The page."""
    return "\n".join((*_head(matrix), *_table(matrix, rows), *_reasons(matrix), *_kinds(matrix)))


def _head(matrix: Matrix) -> Iterator[str]:
    yield _HEAD
    measured = ", ".join(f"`{name}` {version}" for name, version in sorted(matrix.versions.items()))
    yield f"Measured with {measured}.\n{LEGEND}"
    yield ""


def _table(matrix: Matrix, rows: Sequence[Row]) -> Iterator[str]:
    columns = [(dialect, form) for dialect in matrix.packages for form in BOTH]
    titles = [f"{dialect} {FORMS[form]}" for dialect, form in columns]
    yield f"| | {' | '.join(titles)} | what has to be right |"
    yield f"| --- |{' :-: |' * len(columns)} --- |"
    for row in rows:
        cells = (matrix.at(row.name, dialect, streamed=form) for dialect, form in columns)
        yield f"| {row.name} | {' | '.join(SIGNS[cell.mark] for cell in cells)} | {row.about} |"
    yield ""


def _reasons(matrix: Matrix) -> Iterator[str]:
    yield "## Where there is no ✓"
    yield ""
    for alike in grouped(matrix.cells):
        yield f"- {SIGNS[alike.mark]} **{alike.row}**, {alike.where}: {alike.why}."
    yield ""


class Alike(NamedTuple):
    """Cells of a row that are not green for one reason."""

    row: str
    mark: Mark
    why: str
    where: str
    """Their dialects, and the form where it is one."""


def grouped(cells: Iterable[Cell]) -> Iterator[Alike]:
    """Cells that are not green: those of a row that have one reason together."""
    found: defaultdict[tuple[str, Mark, str], list[Cell]] = defaultdict(list)
    for cell in cells:
        if cell.mark is not Mark.GREEN:
            found[cell.row, cell.mark, cell.why].append(cell)
    for (row, mark, why), alike in found.items():
        dialects = dict.fromkeys(cell.dialect for cell in alike)
        forms = {cell.streamed for cell in alike}
        form = f", {FORMS[forms.pop()]}" if len(forms) == 1 else ""
        yield Alike(row, mark, why, f"{', '.join(dialects)}{form}")


def _kinds(matrix: Matrix) -> Iterator[str]:
    yield _KINDS
    for kinds in matrix.kinds:
        family = kinds.family
        said = sorted(family.defined & kinds.seen)
        yield f"### {kinds.dialect}: {family.name}"
        yield ""
        yield f"Said, {len(said)} of {len(family.defined)}: {_names(said)}."
        yield ""
        left = unsaid(kinds)
        if left:
            yield "| not said | why |"
            yield "| --- | --- |"
            yield from (f"| {_names(names)} | {why} |" for why, names in left.items())
            yield ""


def unsaid(kinds: Kinds) -> dict[str, list[str]]:
    """What was not said, by the reason why not: names, or globs with the number of their names."""
    counts: Counter[str] = Counter()
    for name in kinds.family.defined - kinds.seen:
        counts[kinds.family.glob_of(name) or name] += 1
    found: dict[str, list[str]] = {}
    for glob, count in sorted(counts.items()):
        why = kinds.family.reasons.get(glob, "no reason is given")
        found.setdefault(why, []).append(f"{glob} ({count})" if "*" in glob else glob)
    return found


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
