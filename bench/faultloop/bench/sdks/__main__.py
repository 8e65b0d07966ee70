"""`python -m faultloop.bench.sdks` plays the matrix and prints it; `--write` makes docs/sdks.md.

Exit code 0 where every cell is green or explained, 1 where one is red, 2 where an SDK is missing.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

if TYPE_CHECKING:
    from faultloop.bench.sdks.matrix import Matrix

MODULES = {"openai": "openai", "anthropic": "anthropic", "google.genai": "google-genai"}
STYLES = {"green": "green", "limit": "yellow", "none": "dim", "red": "bold red"}

out = Console()
err = Console(stderr=True)


def missing() -> list[str]:
    """The SDKs that are not installed."""
    return [package for module, package in MODULES.items() if not _is_there(module)]


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of what it is in
        return False


def main(
    write: Annotated[bool, typer.Option("--write", help="Also write the page.")] = False,
    docs: Annotated[Path, typer.Option(help="The folder that the page goes to.")] = Path("docs"),
) -> None:
    """Let the official SDKs parse all that the fake provider can say."""
    if lacking := missing():
        said = f"faultloop: not installed: {', '.join(lacking)}; `pip install 'faultloop[sdks]'`"
        err.print(said, style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2)
    from faultloop.bench.sdks.ears import open_ears
    from faultloop.bench.sdks.matrix import ROWS, play
    from faultloop.bench.sdks.page import PAGE, document

    with open_ears() as ears:
        total = 2 * len(ears) * len(ROWS)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("", total=total)
        matrix = play(seen=lambda cell: progress.update(task, advance=1, description=cell.row))
    _print(matrix)
    if write:
        (docs / PAGE).write_text(document(matrix), encoding="utf-8")
    raise typer.Exit(1 if any(matrix.wrong()) else 0)


def _print(matrix: Matrix) -> None:
    from faultloop.bench.sdks.cell import BOTH, Mark
    from faultloop.bench.sdks.matrix import ROWS
    from faultloop.bench.sdks.page import LEGEND, SIGNS, grouped, unsaid

    table = Table("", box=None, header_style="")
    for dialect in matrix.packages:
        table.add_column("\n".join((*dialect.split("_"), "w   s")), justify="center")
    for row in ROWS:
        signs = []
        for dialect in matrix.packages:
            cells = (matrix.at(row.name, dialect, streamed=form) for form in BOTH)
            signs.append("   ".join(f"[{STYLES[c.mark]}]{SIGNS[c.mark]}[/]" for c in cells))
        table.add_row(row.name, *signs)
    out.print(table)
    out.print(f"w whole, s streamed. {LEGEND}", highlight=False)
    for alike in grouped(matrix.cells):
        told = f"{SIGNS[alike.mark]} {alike.row}, {alike.where}: {alike.why}"
        out.print(told, markup=False, highlight=False)
    out.print()
    for kinds in matrix.kinds:
        said, known = len(kinds.family.defined & kinds.seen), len(kinds.family.defined)
        line = f"{kinds.dialect}: {kinds.family.name}: {said} of {known} said"
        out.print(line, markup=False, highlight=False)
        for why, names in unsaid(kinds).items():
            out.print(f"    – {', '.join(names)}: {why}", markup=False, highlight=False)
    out.print()
    versions = ", ".join(f"{name} {version}" for name, version in sorted(matrix.versions.items()))
    out.print(versions, markup=False, highlight=False)
    counts = ", ".join(f"{sum(c.mark is m for c in matrix.cells)} {m}" for m in Mark)
    out.print(f"{len(matrix.cells)} cells: {counts}", highlight=False)
    for sentence in matrix.wrong():
        out.print(f"✗ {sentence}", style="red", markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    typer.run(main)
