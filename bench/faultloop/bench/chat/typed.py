"""The command `faultloop chat` as typed: its options, their help, and what happens to bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from faultloop.bench.chat.options import BadChat, ChatOptions

BAD_INPUT = 2


def chat(
    base_url: Annotated[
        str, typer.Option(help="The endpoint: Chat Completions, as in https://api.openai.com/v1.")
    ],
    model: Annotated[
        str | None, typer.Option(help="Its name; not needed where the endpoint has only one.")
    ] = None,
    api_key_env: Annotated[
        str | None,
        typer.Option(help="Environment variable with the key.", show_default="OPENAI_API_KEY"),
    ] = None,
    tools: Annotated[
        str | None,
        typer.Option(
            help="module:registry.", show_default="files and commands of the working folder"
        ),
    ] = None,
    system: Annotated[str | None, typer.Option(help="System prompt: a text, or @FILE.")] = None,
    journal: Annotated[
        Path | None, typer.Option(help="Where it is kept.", show_default="a new one in .faultloop/")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with that journal, or with the newest.")
    ] = False,
    stream: Annotated[bool, typer.Option(help="Ask for streamed replies.")] = True,
    max_steps: Annotated[int | None, typer.Option(min=1, help="Steps of one turn.")] = None,
    price: Annotated[
        str | None,
        typer.Option(help="INPUT,OUTPUT[,CACHED] in US dollars per million tokens: shows cost."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Permit every tool without asking.")] = False,
) -> None:
    """Talk with the reference loop on a real endpoint; piped input is one prompt."""
    options = ChatOptions(
        base_url=base_url,
        model=model,
        api_key_env=api_key_env,
        tools=tools,
        system=system,
        journal=journal,
        resume=resume,
        stream=stream,
        max_steps=max_steps,
        price=price,
        yes=yes,
    )
    try:
        from faultloop.bench.chat.command import run_chat  # the help needs none of it

        code = run_chat(options)
    except BadChat as error:
        err = Console(stderr=True)
        err.print(f"faultloop: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        code = BAD_INPUT
    raise typer.Exit(code)
