"""The way of every comparison from what was typed to its exit code.

What is wrong with what was typed is told here, in one sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, NoReturn

import typer
from rich.console import Console

if TYPE_CHECKING:
    from faultloop.bench.comparing.command import Read, Wanted

BAD_INPUT = 2
CANNOT_TELL = 3


def carry_out(order: Callable[[], tuple[Wanted, Read]]) -> NoReturn:
    """Make the comparison that `order` reads, tell it, and exit as it came out.

    What `order` raises as BadComparison is the user's to mend.
    """
    from faultloop.bench.comparing.command import (  # the help needs none of it
        BadComparison,
        NothingAnswered,
    )
    from faultloop.bench.comparing.telling import Telling

    telling = Telling(Console(), Console(stderr=True))
    try:
        made = telling.run(*order(), today=date.today())
    except NothingAnswered as error:
        refuse(str(error), CANNOT_TELL)
    except BadComparison as error:
        refuse(str(error))
    telling.told(made)
    raise typer.Exit(made.exit_code)


def refuse(sentence: str, exit_code: int = BAD_INPUT) -> NoReturn:
    """Tell what is wrong with what was typed, or with a file that it names."""
    err = Console(stderr=True)
    err.print(f"faultloop: {sentence}", style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(exit_code)
