"""`faultloop compare` and `faultloop wordings check` as typed: options, help, exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

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
    model: Annotated[
        str, typer.Option(help="Only runs by this model count.", show_default="any")
    ] = "",
    tasks_min: Annotated[
        int, typer.Option(min=1, help="Only runs of so many tasks or more count.")
    ] = 1,
    verdict_min: Annotated[
        Literal["better", "no-worse", "cannot-tell", "worse"],
        typer.Option(
            help="The least verdict that passes; a base has none, and counts as cannot-tell."
        ),
    ] = "cannot-tell",
) -> None:
    """Fail where models read something else than what was measured, or what was found worse; asks
    no model."""
    from faultloop.bench.comparing.checking import Demands
    from faultloop.bench.comparing.checking import check as look
    from faultloop.bench.comparing.lock import BadLock
    from faultloop.scenarios.files import BadFile

    if not files and not lock.exists():
        refuse(f"there is no {lock}; `faultloop compare BASE CANDIDATE --lock {lock}` writes it")
    demands = Demands(model=model, tasks_min=tasks_min, verdict_min=verdict_min)
    try:
        found = list(look(lock, files or (), demands))
    except (BadLock, BadFile) as error:
        refuse(str(error))
    out = Console()
    for one in found:
        out.print(one.says, markup=False, highlight=False, soft_wrap=True)
        if one.command:
            out.print(f"  run: {one.command}", markup=False, highlight=False, soft_wrap=True)
    are_good = all(one.is_good for one in found)
    if are_good:
        out.print("every wording is as it was measured", markup=False, highlight=False)
    raise typer.Exit(0 if are_good else UNMEASURED)


COMMANDS = {"check": check}
"""Below `faultloop wordings`."""
