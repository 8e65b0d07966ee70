"""`faultloop compare` and `faultloop wordings check` as typed: options, help, exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from faultloop.bench.comparing import asked
from faultloop.bench.comparing.carrying_out import carry_out, refuse
from faultloop.scenarios.wordings.models import DEFAULT

UNMEASURED = 1
LOCK = Path("wordings.lock")
REPORT = Path("faultloop-accuracy")


@asked.offering
def compare(
    base: asked.Base,
    candidates: asked.Candidates,
    *,
    tasks: asked.Tasks = "coding_agent",
    model: asked.Model = DEFAULT,
    metric: asked.Metric = "right",
    tools: asked.Tools = None,
    shared: asked.Shared,
    report_dir: asked.ReportDir = REPORT,
    lock: asked.Lock = None,
) -> None:
    """Which wording do models use better? Exit 0 no worse, 1 worse, 3 cannot tell."""
    from faultloop.bench.comparing.command import Read, Wanted, read
    from faultloop.bench.comparing.wanting import wanted

    def order() -> tuple[Wanted, Read]:
        found = wanted(
            shared,
            wordings=(base, *candidates),
            tasks=tasks,
            model=model,
            metric=metric,
            tools=tools,
            report_dir=report_dir,
            lock=lock,
            command=asked.as_typed(),
        )
        return found, read(found)

    carry_out(order)


def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Wordings; without one, all that stand in the lock.", show_default=False
        ),
    ] = None,
    lock: Annotated[Path, typer.Option(help="What was measured.")] = LOCK,
) -> None:
    """Fail where models read something else than what was measured; asks no model."""
    from faultloop.bench.comparing.checking import check as look
    from faultloop.bench.comparing.checking import measured
    from faultloop.bench.comparing.lock import BadLock
    from faultloop.scenarios.files import BadFile

    if not files and not lock.exists():
        refuse(f"there is no {lock}; `faultloop compare BASE CANDIDATE --lock {lock}` writes it")
    try:
        found = list(look(lock, files or ()))
    except (BadLock, BadFile) as error:
        refuse(str(error))
    out = Console()
    for one in found:
        out.print(one.says, markup=False, highlight=False, soft_wrap=True)
        if one.command:
            out.print(f"  run: {one.command}", markup=False, highlight=False, soft_wrap=True)
    if not found:
        for line in measured(lock, files or ()):
            out.print(line, markup=False, highlight=False, soft_wrap=True)
        out.print("every wording is as it was measured", markup=False, highlight=False)
    raise typer.Exit(UNMEASURED if found else 0)


COMMANDS = {"check": check}
"""Below `faultloop wordings`."""
