"""`faultloop wordings errors` as typed: options and help; exit codes are those of `compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from faultloop.bench.comparing import asked
from faultloop.bench.comparing.carrying_out import carry_out

REPORT = Path("faultloop-errors")

Model = Annotated[
    str, typer.Option(help="One that gives arguments: an endpoint, or embedded:llm=FILE.gguf.")
]
Worded = Annotated[str, typer.Argument(help="Of the tools: a file, REV:PATH, or a shipped name.")]
Style = Annotated[
    list[str] | None,
    typer.Option(
        help="vague, vague-example, problem, no-example or where-what-how, with +strict or +free"
        " behind it; the first is the base. Repeatable; else vague, where-what-how.",
        show_default=False,
    ),
]
Each = Annotated[
    bool, typer.Option("--each", help="Every mistake that a task allows, not one of them.")
]


@asked.offering
def errors(
    wording: Worded = "coding_agent/full",
    *,
    model: Model,
    style: Style = None,
    tasks: asked.Tasks = "coding_agent",
    each: Each = False,
    shared: asked.Shared,
    report_dir: asked.ReportDir = REPORT,
) -> None:
    """Which wording of a failed call do models correct better? Exit codes as `compare`."""
    from faultloop.bench.comparing.command import Read, Wanted
    from faultloop.bench.comparing.errors import STYLES, Spoilt, read
    from faultloop.bench.comparing.wanting import wanted

    def order() -> tuple[Wanted, Read]:
        found = wanted(
            shared,
            wordings=style or STYLES,
            tasks=tasks,
            model=model,
            report_dir=report_dir,
            command=asked.as_typed(),
        )
        return found, read(found, Spoilt(wording=wording, each=each))

    carry_out(order)
