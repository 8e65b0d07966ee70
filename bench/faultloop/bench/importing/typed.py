"""The commands `faultloop import ...` as typed: their options, their help, and their exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

BAD_INPUT = 2


def bfcl(
    path: Annotated[
        Path | None,
        typer.Argument(
            help="A folder of BFCL's data, or its package.", show_default="the installed bfcl-eval"
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Where wordings and tasks go.", show_default="bfcl; with --check, nowhere"
        ),
    ] = None,
    category: Annotated[
        list[str] | None, typer.Option(help="Only this category; repeatable.")
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Compare our scores with its own checker's, which is run."),
    ] = False,
    seed: Annotated[int, typer.Option(help="Of the changed answers that --check tries.")] = 1,
    page: Annotated[
        Path | None, typer.Option(help="Write what --check finds to this file, as Markdown.")
    ] = None,
) -> None:
    """Convert the Berkeley Function Calling Leaderboard: a wording and its tasks by category.

    Exit code 0: done; 1: --check found a disagreement that nothing explains; 2: it could not be
    read; 3: its checker could not be run.
    """
    from faultloop.bench.importing.command import BadImport, import_bfcl  # the help needs none

    try:
        code = import_bfcl(
            path, out=out, categories=category or (), check=check, seed=seed, page=page
        )
    except BadImport as error:
        err = Console(stderr=True)
        err.print(f"faultloop: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(BAD_INPUT) from None
    raise typer.Exit(code)


COMMANDS: dict[str, Callable[..., None]] = {"bfcl": bfcl}
