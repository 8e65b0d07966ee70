"""What `faultloop compare` may be asked, option by option: kind of value, and help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

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
Temperature = Annotated[float | None, Option(min=0, help="Else the endpoint's.")]
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
