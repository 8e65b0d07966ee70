"""The command `faultloop matrix` as typed: its options, their help, and its exit codes.

0 every subject that was named was played   2 bad input   3 one was not   130 Ctrl-C
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from faultloop.bench.wanted import DEFAULT_SEED, Selection

NOT_ALL = 3


def matrix(
    subject: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME, NAME@VERSION or a subject.toml; repeatable. Without one, all that ship "
            "with faultloop; those that are not installed are named.",
            show_default=False,
        ),
    ] = None,
    scenario: Annotated[
        list[str] | None, typer.Option(help="Glob on names, or a scenario file; repeatable.")
    ] = None,
    dialect: Annotated[list[str] | None, typer.Option(help="Only this dialect.")] = None,
    stream: Annotated[
        bool | None, typer.Option("--stream/--no-stream", help="Streamed or whole only.")
    ] = None,
    seed: int = DEFAULT_SEED,
    repeat: Annotated[int | None, typer.Option(min=1, help="Plays of each scenario.")] = None,
    quick: Annotated[bool, typer.Option(help="The classic faults, one column.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Play finished cells again.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Loopback port; 0: any.")] = 0,
    report_dir: Annotated[
        Path,
        typer.Option(
            "--report-dir",
            "--out",
            help="Where cells and pages are kept; a second run goes on there, and what others of "
            "the same plays it finds there stays on the page.",
        ),
    ] = Path("faultloop-matrix"),
    write: Annotated[
        Path | None,
        typer.Option(
            help="Also put the pages here, without links to the cells.", show_default=False
        ),
    ] = None,
) -> None:
    """Play many subjects and show them side by side: promises down, subjects across.

    Exit code 0: each subject that was named was played, whatever broke; 3: one was not.

    Ctrl-C (130) keeps what was played: the same command goes on.
    """
    from faultloop.bench.matrix.command import every_stranger, run_matrix  # the help needs none

    err = Console(stderr=True)
    selection = Selection(
        subjects=tuple(subject or every_stranger()),
        scenarios=tuple(scenario or ("*",)),
        dialects=tuple(dialect or ()),
        streaming=stream,
        seed=seed,
        repeat=repeat,
        quick=quick,
    )
    made = run_matrix(
        selection, report_dir, today=date.today(), port=port, fresh=fresh, write=write, err=err
    )
    console = Console()
    for left in made.left:
        console.print(f"not played: {left}", markup=False, highlight=False, soft_wrap=True)
    for other in made.not_shown:
        console.print(f"not on the page: {other}", markup=False, highlight=False, soft_wrap=True)
    console.print(made.headline, style="bold", markup=False, highlight=False, soft_wrap=True)
    console.print(f"page: {made.page}", markup=False, highlight=False, soft_wrap=True)
    if subject and made.left:
        raise typer.Exit(NOT_ALL)
