"""The command `faultloop regressions` as typed: its options, their help, and its exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

BAD_INPUT = 2


def regressions(
    glob: Annotated[str, typer.Argument(help="Only those of this id or subject.")] = "*",
    file: Annotated[
        Path | None,
        typer.Option(help="Another file of regressions.", show_default="the shipped one"),
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="Only tell which there are, and what each is about.")
    ] = False,
    install: Annotated[
        bool, typer.Option("--install", help="Install versions that are missing first.")
    ] = False,
    write: Annotated[bool, typer.Option("--write", help="Write docs/regressions.md.")] = False,
    report_dir: Annotated[Path, typer.Option(help="Where the report goes.")] = Path(
        "faultloop-report"
    ),
) -> None:
    """Play known bugs on the version that has them and on the one that has not.

    Exit code 0: each is as expected; 1: one is not; 3: one cannot be told (not installed, say).
    """
    # the help needs none of these
    from faultloop.bench.regressions_command.command import list_regressions, run_regressions
    from faultloop.bench.regressions_command.reading import SHIPPED, BadRegressions

    try:
        if list_:
            list_regressions(glob, file=(file or SHIPPED).absolute())
            return
        code = run_regressions(
            glob,
            file=(file or SHIPPED).absolute(),
            install=install,
            write=write,
            report_dir=report_dir,
        )
    except BadRegressions as error:
        err = Console(stderr=True)
        err.print(f"faultloop: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(BAD_INPUT) from None
    raise typer.Exit(code)
