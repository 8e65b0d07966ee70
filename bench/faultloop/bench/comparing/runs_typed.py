"""`faultloop wordings runs` as typed: options and help; exit codes are those of `compare`."""

from __future__ import annotations

import shlex
import sys
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


def runs(
    model: Model,
    wordings: Wordings = None,
    tasks: Tasks = "world",
    margin: asked.Margin = 0.0,
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
) -> None:
    """Under which wording are more whole runs done in the end? Exit codes as `compare`."""
    from faultloop.bench.comparing.command import Read, Wanted
    from faultloop.bench.comparing.runs import read
    from faultloop.scenarios.subjects.installed import cache_folder
    from faultloop.scenarios.wordings.models.budget import Limits, price_of
    from faultloop.scenarios.wordings.models.endpoint import Settings
    from faultloop.scenarios.wordings.planning import Design

    base, *candidates = wordings or (BASE, *CANDIDATES)

    def order() -> tuple[Wanted, Read]:
        price = price_of(price_input, price_output, price_cached)
        wanted = Wanted(
            base=base,
            candidates=tuple(candidates),
            tasks=tasks,
            model=model,
            settings=Settings(temperature=temperature),
            design=Design(orders=orders, samples=samples, seed=seed, strict=strict),
            limits=Limits(requests_max=max_requests, cost_usd_max=max_cost, price=price),
            concurrency=concurrency,
            metric="done",
            margin=margin / 100,
            cache=cache or cache_folder() / "answers",
            fresh=fresh,
            report_dir=report_dir,
            command=shlex.join(["faultloop", *sys.argv[1:]]),
        )
        return wanted, read(wanted)

    carry_out(order)
