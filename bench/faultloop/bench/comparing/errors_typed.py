"""`faultloop wordings errors` as typed: options and help; exit codes are those of `compare`."""

from __future__ import annotations

import shlex
import sys
from datetime import date
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from faultloop.bench.comparing import asked

BAD_INPUT = 2
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
    from faultloop.bench.comparing.command import BadComparison, Wanted
    from faultloop.bench.comparing.errors import STYLES, Spoilt, read
    from faultloop.bench.comparing.telling import Telling
    from faultloop.scenarios.subjects.installed import cache_folder
    from faultloop.scenarios.wordings.models.budget import BadLimits, Limits, price_of
    from faultloop.scenarios.wordings.models.endpoint import Settings
    from faultloop.scenarios.wordings.planning import Design

    base, *candidates = style or STYLES
    telling = Telling(Console(), Console(stderr=True))
    try:
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
        found = read(wanted, Spoilt(wording=wording, each=each))
        made = telling.run(wanted, found, today=date.today())
    except (BadComparison, BadLimits) as error:
        _refuse(str(error))
    telling.told(made)
    raise typer.Exit(made.exit_code)


def _refuse(sentence: str) -> NoReturn:
    err = Console(stderr=True)
    err.print(f"faultloop: {sentence}", style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(BAD_INPUT)
