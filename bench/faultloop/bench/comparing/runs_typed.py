"""`faultloop wordings runs` as typed: options and help; exit codes are those of `compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from faultloop.bench.comparing import asked
from faultloop.bench.comparing.carrying_out import carry_out

REPORT = Path("faultloop-runs")
BASE = "world/vague"
CANDIDATES = ("world/full",)

Model = Annotated[
    str, typer.Option(help="One that gives arguments: an endpoint, or embedded:llm=FILE.gguf.")
]
Wordings = Annotated[
    list[str] | None,
    typer.Argument(
        help="The base, and one candidate or more, of the fake world's tools: files, REV:PATH or"
        f" shipped names. Else {BASE} {' '.join(CANDIDATES)}.",
        show_default=False,
    ),
]
Tasks = Annotated[str, typer.Option(help="A file or folder of runs, or a set that is shipped.")]


@asked.offering
def runs(
    wordings: Wordings = None,
    *,
    model: Model,
    tasks: Tasks = "world",
    shared: asked.Shared,
    report_dir: asked.ReportDir = REPORT,
) -> None:
    """Under which wording are more whole runs done in the end? Exit codes as `compare`."""
    from faultloop.bench.comparing.command import Read, Wanted
    from faultloop.bench.comparing.runs import read
    from faultloop.bench.comparing.wanting import wanted

    def order() -> tuple[Wanted, Read]:
        found = wanted(
            shared,
            wordings=wordings or (BASE, *CANDIDATES),
            tasks=tasks,
            model=model,
            metric="done",
            report_dir=report_dir,
            command=asked.as_typed(),
        )
        return found, read(found)

    carry_out(order)
