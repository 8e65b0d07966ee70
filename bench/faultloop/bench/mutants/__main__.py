"""`python -m faultloop.bench.mutants`: play all mutants and print the kill table.

Below it stands what is not proven: scenarios that no mutant breaks, and the demanded checks that
none breaks there. Exit code 1 where a mutant survives, a check or a drill has no mutant, the
reference is broken, or a scenario or a demanded check is open without a reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from faultloop.bench.drills import DRILLS
from faultloop.bench.mutants import MUTANTS
from faultloop.bench.mutants.kills import Kill, baselines, kills, unproven
from faultloop.bench.mutants.proof import (
    OPEN_PAIRS,
    UNPROVEN,
    is_blunt,
    open_pairs,
    open_scenarios,
    without_reason,
)
from faultloop.scenarios.reading import catalogue

NO_REASON = "[red]no reason is given[/red]"


def row(kill: Kill) -> tuple[str, str, str]:
    """A line of the table; what had to catch it stands first, in bold."""
    wanted = (*kill.mutant.breaks, *kill.mutant.drills) if kill.mutant else ()
    caught = sorted(kill.broken, key=lambda check: (check not in wanted, check))
    by = ", ".join(
        f"[bold]{check}[/bold] {kill.broken[check]}"
        if check in wanted
        else f"[dim]{check} {kill.broken[check]}[/dim]"
        for check in caught
    )
    if kill.mutant is None:
        verdict = "[green]held[/green]" if kill.is_right else "[red]broken[/red]"
    else:
        verdict = "[green]killed[/green]" if kill.is_right else "[red]survives[/red]"
    if kill.mutant and is_blunt(kill):
        verdict += " (blunt)"
    return kill.loop, verdict, by or "nothing"


def not_proven(table: Sequence[Kill]) -> Iterator[str]:
    """What no mutant breaks, a line for each scenario and for each check."""
    scenarios = catalogue()
    opened = open_scenarios(scenarios, table)
    yield f"scenarios that only a blunt mutant breaks, or none: {len(opened)}"
    for name in opened:
        yield f"  {name}: {UNPROVEN.get(name, NO_REASON)}"
    pairs = open_pairs(scenarios, table)
    demanded = sum(len(scenario.checks) for scenario in scenarios)
    yield f"demanded checks that no mutant breaks in their scenario: {len(pairs)} of {demanded}"
    for pair in pairs:
        yield f"  {pair.scenario}, {pair.check}: {OPEN_PAIRS.get(pair, NO_REASON)}"


def main() -> int:
    """Play, print, and say whether all is as it must be."""
    table = Table("loop", "verdict", "caught by (plays in which it was broken)", box=None)
    done: list[Kill] = []
    total = len(MUTANTS) + len(list(baselines(tuple(MUTANTS.values()))))
    with Progress(transient=True, console=Console(stderr=True)) as progress:
        task = progress.add_task("mutants", total=total)
        for kill in kills():
            done.append(kill)
            table.add_row(*row(kill))
            progress.advance(task)
    console = Console()
    console.print(table)
    killed = sum(kill.is_right for kill in done if kill.mutant)
    played = f"{done[0].plays} plays and {len(DRILLS)} drills"
    console.print(f"{killed} of {len(MUTANTS)} mutants killed; the reference held in {played}")
    for check in unproven():
        console.print(f"[red]no mutant proves that {check} can fail[/red]")
    for line in not_proven(done):
        console.print(line)
    is_open = without_reason(catalogue(), done)
    return int(bool(unproven() or is_open) or not all(kill.is_right for kill in done))


if __name__ == "__main__":
    sys.exit(main())
