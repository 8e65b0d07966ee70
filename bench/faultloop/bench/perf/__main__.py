"""`python -m faultloop.bench.perf`: measure, and print a table.

Exit code 1 only where a measurement could not be taken; see the package for what the columns mean.
"""

from __future__ import annotations

import sys
from math import isfinite, isnan
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from faultloop.bench.perf.command import COMMAND
from faultloop.bench.perf.cores import BOTH_CORES
from faultloop.bench.perf.forked import FORKED
from faultloop.bench.perf.measurement import Measured, Measurement, take
from faultloop.bench.perf.memory import MEMORY
from faultloop.bench.perf.parallel import PARALLEL
from faultloop.bench.perf.peers.speed import PEERS_SPEED
from faultloop.bench.perf.scoring import SCORING
from faultloop.bench.perf.serve import SERVE
from faultloop.bench.perf.sim import SIM
from faultloop.bench.perf.split import SPLIT

MEASUREMENTS = {
    one.name: one
    for one in (
        *SIM,
        *BOTH_CORES,
        *SPLIT,
        *SERVE,
        *PEERS_SPEED,
        *MEMORY,
        *PARALLEL,
        *FORKED,
        *COMMAND,
        *SCORING,
    )
}

COLUMNS = ("measurement", "figure", "median", "bound", "baseline", "ratio")
KEPT = {True: "green", False: "red", None: "default"}


def _row(measurement: Measurement, measured: Measured) -> tuple[str, ...]:
    figure = measured.figure
    if isnan(measured.baseline):
        return measurement.name, figure.name, figure.without, "", "", ""
    bounds = (("", figure.bound), ("x ", figure.ratio_bound))
    return (
        measurement.name,
        figure.name,
        f"[{KEPT[measured.keeps]}]{measured.value:.3g}[/] {figure.unit}",
        ", ".join(f"{sign}{one.side} {one.value:g}" for sign, one in bounds if one is not None),
        f"{measured.baseline:.3g}",
        f"[{KEPT[measured.keeps_ratio]}]x {measured.ratio:.3g}[/]"
        if isfinite(measured.ratio)
        else "",
    )


def main(
    only: Annotated[
        list[str] | None, typer.Option(help=f"one of {', '.join(MEASUREMENTS)} (repeatable)")
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="instead of each one's own")] = None,
) -> None:
    """Measure speed and size, as ratios to a baseline of the same run. Exit code 1: a bound is
    missed, or something could not be measured."""
    names = only or list(MEASUREMENTS)
    if unknown := [name for name in names if name not in MEASUREMENTS]:
        raise typer.BadParameter(f"{unknown[0]!r} is none of {', '.join(MEASUREMENTS)}")
    table = Table(*COLUMNS, box=None)
    failed, missed = False, list[str]()
    errors = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True) as progress:
        task = progress.add_task("", total=len(names))
        for name in names:

            def seen(step: str, name: str = name) -> None:
                progress.update(task, description=f"{name}: {step}")

            try:
                for one in take(MEASUREMENTS[name], rounds, seen=seen):
                    table.add_row(*_row(MEASUREMENTS[name], one))
                    if False in (one.keeps, one.keeps_ratio):
                        missed.append(f"{name}, {one.figure.name}")
            except Exception as error:  # the others are still worth having
                failed = True
                errors.print(f"{name} could not be measured: {type(error).__name__}: {error}")
            progress.advance(task)
            if not errors.is_terminal:  # no bar there: a line that tells how far it is
                errors.print(f"{name} is measured", highlight=False)
    console = Console()
    console.print(table)
    for name in names:
        measurement = MEASUREMENTS[name]
        console.print(f"[dim]{name}: {measurement.says}; baseline: {measurement.against}[/]")
    if missed:
        console.print(f"[red]missed: {'; '.join(missed)}[/]")
    sys.exit(int(failed or bool(missed)))


if __name__ == "__main__":
    typer.run(main)
