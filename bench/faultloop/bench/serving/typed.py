"""The command `faultloop serve` as typed: its options, their help, and its exit codes."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

BAD_INPUT = 2


def serve(
    script: Annotated[
        str | None,
        typer.Argument(
            help="List of steps or scenario file, or a scenario's name; without one, scripts are "
            "loaded through the API.",
            show_default=False,
        ),
    ] = None,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            help="After two dashes: a command that is run with the base URLs in its environment; "
            "the server ends with it.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: any free one.")] = 0,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    conversation: Annotated[
        str, typer.Option(help="Name of the conversation that the exports are for.")
    ] = "default",
    seed: Annotated[int, typer.Option(help="Changes all ids.")] = 0,
    strictness: Annotated[
        str | None,
        typer.Option(
            help="In place of the script's own: real, strict, lenient, -RULE to leave one out, "
            "context=N.",
            show_default=False,
        ),
    ] = None,
    coalesce: Annotated[
        bool, typer.Option("--coalesce", help="Send each stream in one write, for load.")
    ] = False,
) -> None:
    """Serve a script as a provider of four dialects, and print its base URLs as shell exports, or
    run a command with them."""
    from faultloop.bench.serving.command import BadServe, run_serve  # the help needs none of it

    try:
        code = run_serve(
            script,
            command or (),
            host=host,
            port=port,
            conversation=conversation,
            seed=seed,
            strictness=strictness,
            coalesce=coalesce,
        )
    except BadServe as error:
        err = Console(stderr=True)
        err.print(f"faultloop: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(BAD_INPUT) from None
    raise typer.Exit(code)
