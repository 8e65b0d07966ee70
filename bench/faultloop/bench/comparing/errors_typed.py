"""`faultloop wordings errors` as typed: options and help; exit codes are those of `compare`."""

from __future__ import annotations

import shlex
import sys
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


def errors(
    model: Model,
    wording: Worded = "coding_agent/full",
    style: Style = None,
    tasks: asked.Tasks = "coding_agent",
    each: Each = False,
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
    """Which wording of a failed call do models correct better? Exit codes as `compare`."""
    from faultloop.bench.comparing.command import Read, Wanted
    from faultloop.bench.comparing.errors import STYLES, Spoilt, read
    from faultloop.scenarios.subjects.installed import cache_folder
    from faultloop.scenarios.wordings.models.budget import Limits, price_of
    from faultloop.scenarios.wordings.models.endpoint import Settings
    from faultloop.scenarios.wordings.planning import Design

    base, *candidates = style or STYLES

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
            margin=margin / 100,
            cache=cache or cache_folder() / "answers",
            fresh=fresh,
            report_dir=report_dir,
            command=shlex.join(["faultloop", *sys.argv[1:]]),
        )
        return wanted, read(wanted, Spoilt(wording=wording, each=each))

    carry_out(order)
