"""The command `faultloop lint` as typed: its options, their help, and its exit codes."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from faultloop.bench.linting.bad_target import BadTarget
from faultloop.bench.linting.output import FORMATS

FOUND = 1
BAD_INPUT = 2


def lint(
    target: Annotated[
        list[str] | None,
        typer.Argument(help="YAML or JSON file of tools, or module:registry.", show_default=False),
    ] = None,
    mcp: Annotated[
        list[str] | None,
        typer.Option(help="Command line or URL of an MCP server; repeatable."),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", help=f"How findings are told: {', '.join(FORMATS)}.")
    ] = "text",
    ignore: Annotated[
        list[str] | None, typer.Option(help="RULE, or RULE:TOOL for one tool; repeatable.")
    ] = None,
) -> None:
    """Say what makes tools hard for a model to choose and to fill; exit 1 where anything does."""
    try:
        if form not in FORMATS:
            raise BadTarget(f"there is no format {form!r}; there are: {', '.join(FORMATS)}")
        from faultloop.bench.linting.finding import find  # the help needs none of it

        tools, findings = find(target or (), servers=mcp or (), ignored=ignore or ())
    except BadTarget as error:
        err = Console(stderr=True)
        err.print(f"faultloop: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(BAD_INPUT) from None
    told = FORMATS[form](tools, findings)
    if told:
        print(told)
    raise typer.Exit(FOUND if findings else 0)
