"""What is seen while a subject is installed or checked: neither is over in a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console


@contextmanager
def progress(err: Console, doing: str) -> Iterator[Callable[[str], object]]:
    """A line that moves, shows what it is told, and is gone afterwards; where nobody sits before
    it, one line that says what has begun."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    if not err.is_terminal:
        err.print(doing, markup=False, highlight=False, soft_wrap=True)
        yield lambda step: None
        return
    # The time comes first: what is installed may be longer than the line.
    columns = (SpinnerColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=err, transient=True) as shown:
        task = shown.add_task(doing, total=None)
        yield lambda step: shown.update(task, description=f"{doing}: {step}")
