"""`faultloop compare` and `faultloop wordings check` as typed: options, help, exit codes."""

from __future__ import annotations

import shlex
import sys
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import typer
from rich.console import Console

BAD_INPUT = 2
UNMEASURED = 1
MODEL = "embedded:lexical"
LOCK = Path("wordings.lock")


def compare(
    base: Annotated[
        str,
        typer.Argument(
            help="A wording: a file, REV:PATH (as it stood in a commit), or a shipped name such as"
            " coding_agent/full.",
            show_default=False,
        ),
    ],
    candidates: Annotated[
        list[str], typer.Argument(help="One wording or more, likewise.", show_default=False)
    ],
    tasks: Annotated[
        str, typer.Option(help="A file, a folder, or a set of tasks that is shipped.")
    ] = "coding_agent",
    model: Annotated[
        str,
        typer.Option(
            help="embedded:lexical, embedded:minilm, embedded:llm=FILE.gguf, or an endpoint:"
            " openai_chat:NAME@URL, openai_responses:, anthropic_messages:, gemini:."
        ),
    ] = MODEL,
    metric: Annotated[
        Literal["right", "selection", "arguments"],
        typer.Option(help="What the verdict is about: tool and arguments, or one of them."),
    ] = "right",
    margin: Annotated[
        float,
        typer.Option(
            min=0, max=100, help="By so many points worse is still no worse; 0 declares none."
        ),
    ] = 0.0,
    orders: Annotated[
        int, typer.Option(min=1, help="Orders of the tools that each task is asked in.")
    ] = 1,
    samples: Annotated[int, typer.Option(min=1, help="Askings of each question.")] = 1,
    seed: Annotated[int, typer.Option(help="Of the orders and of the statistics.")] = 0,
    strict: Annotated[
        Literal["off", "preferred", "required"] | None,
        typer.Option(help="Constrained decoding; without it each tool decides."),
    ] = None,
    temperature: Annotated[float | None, typer.Option(min=0, help="Else the endpoint's.")] = None,
    max_requests: Annotated[
        int | None, typer.Option(min=0, help="Stop before this many; run again to go on.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(min=0, help="Stop before this many US dollars; needs prices.")
    ] = None,
    price_input: Annotated[
        float | None, typer.Option(min=0, help="US dollars per million tokens.")
    ] = None,
    price_output: Annotated[float | None, typer.Option(min=0, help="Likewise.")] = None,
    price_cached: Annotated[float | None, typer.Option(min=0, help="Likewise.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests at a time.")] = 4,
    cache: Annotated[
        Path | None, typer.Option(help="Where answers are kept.", show_default=False)
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again what was answered.")] = False,
    report_dir: Annotated[Path, typer.Option(help="Where the report goes.")] = Path(
        "faultloop-accuracy"
    ),
    lock: Annotated[
        Path | None,
        typer.Option(help="Record the run here, for `faultloop wordings check`."),
    ] = None,
) -> None:
    """Which wording do models use better? Exit 0 no worse, 1 worse, 3 cannot tell."""
    from faultloop.scenarios.wordings.models.budget import BadLimits, Limits, price_of
    from faultloop.scenarios.wordings.models.endpoint import Settings
    from faultloop.scenarios.wordings.planning import Design

    from faultloop.bench.comparing.command import BadComparison, Wanted, read
    from faultloop.bench.comparing.telling import Telling
    from faultloop.scenarios.subjects.installed import cache_folder

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
            metric=metric,
            margin=margin / 100,
            cache=cache or cache_folder() / "answers",
            fresh=fresh,
            report_dir=report_dir,
            lock=lock,
            command=shlex.join(["faultloop", *sys.argv[1:]]),
        )
        made = telling.run(wanted, read(wanted), today=date.today())
    except (BadComparison, BadLimits) as error:
        _refuse(str(error))
    telling.told(made)
    raise typer.Exit(made.exit_code)


def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Wordings; without one, all that stand in the lock.", show_default=False
        ),
    ] = None,
    lock: Annotated[Path, typer.Option(help="What was measured.")] = LOCK,
) -> None:
    """Fail where models read something else than what was measured (SPEC C9); asks no model."""
    from faultloop.scenarios.files import BadFile

    from faultloop.bench.comparing.checking import check as look
    from faultloop.bench.comparing.lock import BadLock

    if not files and not lock.exists():
        _refuse(f"there is no {lock}; `faultloop compare BASE CANDIDATE --lock {lock}` writes it")
    try:
        found = list(look(lock, files or ()))
    except (BadLock, BadFile) as error:
        _refuse(str(error))
    out = Console()
    for one in found:
        out.print(one.says, markup=False, highlight=False, soft_wrap=True)
        if one.command:
            out.print(f"  run: {one.command}", markup=False, highlight=False, soft_wrap=True)
    if not found:
        out.print("every wording is as it was measured", markup=False, highlight=False)
    raise typer.Exit(UNMEASURED if found else 0)


def _refuse(sentence: str) -> NoReturn:
    err = Console(stderr=True)
    err.print(f"faultloop: {sentence}", style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(BAD_INPUT)


COMMANDS = {"check": check}
"""Below `faultloop wordings`."""
