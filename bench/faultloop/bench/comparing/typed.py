"""`faultloop compare` and `faultloop wordings check` as typed: options, help, exit codes."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from faultloop.bench.comparing import asked
from faultloop.bench.comparing.carrying_out import carry_out, refuse

UNMEASURED = 1
MODEL = "embedded:lexical"
LOCK = Path("wordings.lock")
REPORT = Path("faultloop-accuracy")


def compare(
    base: asked.Base,
    candidates: asked.Candidates,
    tasks: asked.Tasks = "coding_agent",
    model: asked.Model = MODEL,
    metric: asked.Metric = "right",
    margin: asked.Margin = 0.0,
    tools: asked.Tools = None,
    orders: asked.Orders = 1,
    samples: asked.Samples = 1,
    seed: asked.Seed = 0,
    strict: asked.Strict = None,
    temperature: asked.Temperature = None,
    max_requests: asked.MaxRequests = None,
    max_cost: asked.MaxCost = None,
    price_input: asked.Price = None,
    price_output: asked.Price = None,
    price_cached: asked.Price = None,
    concurrency: asked.Concurrency = 4,
    cache: asked.Cache = None,
    fresh: asked.Fresh = False,
    report_dir: asked.ReportDir = REPORT,
    lock: asked.Lock = None,
) -> None:
    """Which wording do models use better? Exit 0 no worse, 1 worse, 3 cannot tell."""
    from faultloop.bench.comparing.command import Read, Wanted, read
    from faultloop.scenarios.subjects.installed import cache_folder
    from faultloop.scenarios.wordings.models.budget import Limits, price_of
    from faultloop.scenarios.wordings.models.endpoint import Settings
    from faultloop.scenarios.wordings.planning import Design

    def order() -> tuple[Wanted, Read]:
        price = price_of(price_input, price_output, price_cached)
        wanted = Wanted(
            base=base,
            candidates=tuple(candidates),
            tasks=tasks,
            model=model,
            settings=Settings(temperature=temperature),
            design=Design(
                orders=orders, samples=samples, tools_max=tools, seed=seed, strict=strict
            ),
            limits=Limits(requests_max=max_requests, cost_usd_max=max_cost, price=price),
            concurrency=concurrency,
            metric=metric,
            margin=margin / 100,
            cache=cache or cache_folder() / "answers",
            fresh=fresh,
            report_dir=report_dir,
            lock=lock,
            command=shlex.join(["faultloop", *sys.argv[1:]]),
        )
        return wanted, read(wanted)

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
