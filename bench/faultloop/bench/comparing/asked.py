"""What a comparison may be asked, option by option: kind of value, and help.

What every comparison may be asked is a field of `Shared`: a new one is declared there, means
something in `wanting`, and is repeated in `bench.options`, which pytest loads in every project and
which can therefore not have typer. Commands take `Shared` whole (`offering`). Whatever is heavy is
imported by a command when it runs: the help needs none of it.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

from typer import Argument, Option

Base = Annotated[
    str,
    Argument(
        help="A wording: a file, REV:PATH (as it stood in a commit), or a shipped name such as"
        " coding_agent/full.",
        show_default=False,
    ),
]
Candidates = Annotated[list[str], Argument(help="One or more, likewise.", show_default=False)]
Tasks = Annotated[str, Option(help="A file, a folder, or a set of tasks that is shipped.")]
Model = Annotated[
    str,
    Option(
        help="embedded:lexical, embedded:minilm, embedded:llm=FILE.gguf, or an endpoint:"
        " openai_chat:NAME@URL, openai_responses:, anthropic_messages:, gemini:."
    ),
]
Metric = Annotated[
    Literal["right", "selection"],
    Option(help="What the verdict is about: tool and arguments, or the tool alone."),
]
Margin = Annotated[
    float,
    Option(min=0, max=99, help="By so many points worse is still no worse; 0 declares none."),
]
Tools = Annotated[
    int | None,
    Option(
        min=1,
        help="Offer so many at most: those that serve, and a draw of the others, the same under"
        " each wording.",
        show_default="all",
    ),
]
Orders = Annotated[int, Option(min=1, help="Orders of the tools that each task is asked in.")]
Samples = Annotated[int, Option(min=1, help="Askings of each question.")]
Seed = Annotated[int, Option(min=0, help="Of the orders and of the statistics.")]
Strict = Annotated[
    Literal["off", "preferred", "required"] | None,
    Option(help="Constrained decoding; without it each tool decides."),
]
Temperature = Annotated[float | None, Option(min=0, help="Of an endpoint; else its own.")]
SamplingSeed = Annotated[
    int | None,
    Option(min=0, help="Of an endpoint's model, sample n gets n more; else none is sent."),
]
OutputTokens = Annotated[
    int | None, Option(min=1, help="An endpoint's answer is cut there; else its own limit.")
]
Timeout = Annotated[
    float, Option(min=0.001, help="Seconds that an endpoint has for one whole answer.")
]
KeyVariable = Annotated[
    str,
    Option(
        help="Environment variable with an endpoint's key.",
        show_default="OPENAI_API_KEY or the like",
    ),
]
MaxRequests = Annotated[
    int | None, Option(min=0, help="Stop before this many; run again to go on.")
]
MaxCost = Annotated[
    float | None, Option(min=0, help="Stop before this many US dollars; needs prices.")
]
Price = Annotated[float | None, Option(min=0, help="US dollars per million tokens.")]
Concurrency = Annotated[int, Option(min=1, help="Requests at a time.")]
Cache = Annotated[
    Path | None, Option(help="Where answers are kept.", show_default="answers, in the cache")
]
Fresh = Annotated[bool, Option("--fresh", help="Ask again what was answered.")]
ReportDir = Annotated[Path, Option(help="Where the report goes.")]
Lock = Annotated[Path | None, Option(help="Record the run here, for `faultloop wordings check`.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What every comparison may be asked."""

    margin: Margin = 0.0
    orders: Orders = 1
    samples: Samples = 1
    seed: Seed = 0
    strict: Strict = None
    temperature: Temperature = None
    sampling_seed: SamplingSeed = None
    output_tokens: OutputTokens = None
    timeout: Timeout = 120.0
    key_variable: KeyVariable = ""
    max_requests: MaxRequests = None
    max_cost: MaxCost = None
    price_input: Price = None
    price_output: Price = None
    price_cached: Price = None
    concurrency: Concurrency = 4
    cache: Cache = None
    fresh: Fresh = False


def offering(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer reads it: an option for each field in the place of its `shared`."""
    hints = get_type_hints(Shared, include_extras=True)
    names = [field.name for field in fields(Shared)]
    own = get_type_hints(command, include_extras=True)
    parameters: list[Parameter] = []
    for one in signature(command).parameters.values():
        if one.name != "shared":
            parameters.append(one.replace(annotation=own[one.name]))
            continue
        parameters += [
            Parameter(
                field.name,
                Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=hints[field.name],
            )
            for field in fields(Shared)
        ]

    @wraps(command)
    def typed(**given: Any) -> None:
        shared = Shared(**{name: given.pop(name) for name in names})
        command(**given, shared=shared)

    read = signature(command).replace(parameters=parameters)
    typed.__signature__ = read  # type: ignore[attr-defined]
    typed.__annotations__ = {one.name: one.annotation for one in parameters}
    return typed


def as_typed() -> str:
    """The command line, for the report."""
    return shlex.join(["faultloop", *sys.argv[1:]])
