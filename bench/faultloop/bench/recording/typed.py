"""The command `faultloop record` as typed: its options, their help, and its exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

BAD_INPUT = 2


def record(
    command: Annotated[
        list[str],
        typer.Argument(help="The command and its arguments, after two dashes.", show_default=False),
    ],
    upstream: Annotated[
        str, typer.Option(help="Base URL of the provider, as in https://api.openai.com/v1.")
    ],
    out: Annotated[Path, typer.Option(help="The script to write.")],
    mcp: Annotated[
        list[str] | None,
        typer.Option(help="An MCP server, as NAME=URL; repeatable.", show_default=False),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Loopback port of the proxy; 0: any free one.")
    ] = 0,
    redact: Annotated[
        bool, typer.Option("--redact/--no-redact", help="Replace what looks like a secret.")
    ] = True,
) -> None:
    """Run a command against a real provider, and write what was said as a script."""
    from faultloop.bench.recording.command import BadRecord, Order, run_record

    try:
        code = run_record(
            Order(
                upstream=upstream,
                out=out,
                command=command,
                servers=tuple(mcp or ()),
                port=port,
                redact=redact,
            )
        )
    except BadRecord as error:
        err = Console(stderr=True)
        err.print(f"faultloop: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(BAD_INPUT) from None
    raise typer.Exit(code)
