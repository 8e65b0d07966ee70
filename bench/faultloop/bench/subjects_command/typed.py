"""The commands `faultloop subjects ...` as typed: their options, their help, their exit codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

Subjects = Annotated[
    list[str],
    typer.Argument(
        metavar="NAME[@VERSION]...",
        help="Shipped name, glob on these, or a subject.toml.",
        show_default=False,
    ),
]


def list_() -> None:
    """The shipped subjects, what each can do, and whether it is installed."""
    from faultloop.bench.subjects_command.listing import show_list  # the help needs none of it

    show_list()


def install(
    subject: Subjects,
    again: Annotated[
        bool, typer.Option("--again", help="Make it anew, also where it is installed.")
    ] = False,
) -> None:
    """Install subjects, each into a folder of its own below the cache folder."""
    from faultloop.bench.subjects_command.installing import install_all

    raise typer.Exit(install_all(subject, again=again))


def remove(subject: Subjects) -> None:
    """Remove what was installed."""
    from faultloop.bench.subjects_command.installing import remove_all

    raise typer.Exit(remove_all(subject))


def check(name_or_file: str) -> None:
    """Play the conformance suite of drivers against a subject."""
    from faultloop.bench.subjects_command.listing import show_check

    raise typer.Exit(show_check(name_or_file))


COMMANDS: dict[str, Callable[..., None]] = {
    "list": list_,
    "install": install,
    "remove": remove,
    "check": check,
}
