"""What `faultloop subjects list` and `check` show."""

from __future__ import annotations

import asyncio

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from faultloop.bench.subjects_command.progress import progress
from faultloop.scenarios.subject import Subject
from faultloop.scenarios.subjects.conformance import conform
from faultloop.scenarios.subjects.conformance_plays import PLAYS
from faultloop.scenarios.subjects.finding import find, shipped
from faultloop.scenarios.subjects.installed import installed, versions
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.verdict import Verdict, worst

EXIT_OF = {
    Verdict.HELD: 0,
    Verdict.BROKEN: 1,
    Verdict.NOT_APPLICABLE: 3,
    Verdict.UNKNOWN: 3,
}


def show_list() -> None:
    """Print each shipped subject with what it can do and whether it is here."""
    out = Console()
    for subject in shipped():
        can = subject.capabilities
        forms = ", ".join("streamed" if streaming else "whole" for streaming in can.streaming)
        columns = f"{', '.join(can.dialects)} ({forms})"
        said = f"{can.tier}; {columns}; resume: {can.resume}; {subject.version}; {state(subject)}"
        # A name is what the reader types next: it is never cut.
        out.print(f"[bold]{subject.name}[/]  {said}", highlight=False, soft_wrap=True)
        out.print(Padding(Text(subject.about), (0, 0, 0, 4)))


def state(subject: Subject) -> str:
    """Whether it is here, in words."""
    recipe = subject.declaration.recipe() if isinstance(subject, ProcessSubject) else None
    if recipe is None:
        return "comes with faultloop"
    there = installed(recipe)
    others = [version for version in versions(recipe.name) if version != recipe.version]
    is_here = f"installed, {megabytes(there.size_bytes)}" if there else "not installed"
    return is_here + (f"; also {', '.join(others)}" if others else "")


def megabytes(size_bytes: int) -> str:
    """A size for people."""
    return f"{size_bytes / 1e6:,.0f} MB" if size_bytes >= 1e7 else f"{size_bytes / 1e6:.1f} MB"


def show_check(name_or_file: str) -> int:
    """Print what the conformance suite concludes, and return the exit code."""
    subject, err = find(name_or_file), Console(stderr=True)
    with progress(err, f"checking {subject.name} in up to {len(PLAYS)} plays") as told:
        rules = asyncio.run(conform(subject, told=told))
    for rule in rules:
        said = f"{rule.verdict:<14} {rule.name}: {rule.sentence}"
        Console().print(said, markup=False, highlight=False)
    return EXIT_OF[worst(rule.verdict for rule in rules)]
