"""`python -m faultloop.bench.mutants`: play all mutants and print the kill table.

Below it stands what is not proven: scenarios that no mutant breaks, and the demanded checks that
none breaks there. Exit code 1 where a mutant survives, a check or a drill has no mutant, the
reference or a preset is broken or cannot be told, a claim has no proof, a scenario or a demanded
check is open without a reason, or a reason is given for what is not open.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from faultloop.bench.claims import CLAIMS
from faultloop.bench.drills import DRILLS
from faultloop.bench.mutants import MUTANTS
from faultloop.bench.mutants.kills import Kill, baselines, kills, unproven
from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.proof import (
    OPEN_PAIRS,
    UNPROVEN,
    claims_without_proof,
    is_blunt,
    needless,
    open_pairs,
    open_scenarios,
    without_reason,
)
from faultloop.scenarios.reading import catalogue

TOLD_EVERY = 20
"""Loops after which a line is printed where there is no terminal."""

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


def play(mutants: Sequence[Mutant], console: Console) -> list[Kill]:
    """Play these, and the right loops beside them; print the table."""
    table = Table("loop", "verdict", "caught by (plays in which it was broken)", box=None)
    done: list[Kill] = []
    total = len(mutants) + len(list(baselines(mutants)))
    errors = Console(stderr=True)
    with Progress(transient=True, console=errors) as progress:
        task = progress.add_task("mutants", total=total)
        for kill in kills(mutants):
            done.append(kill)
            table.add_row(*row(kill))
            progress.advance(task)
            if not errors.is_terminal and len(done) % TOLD_EVERY == 0:
                errors.print(f"{len(done)} of {total} loops played", highlight=False)
    console.print(table)
    killed = sum(kill.is_right for kill in done if kill.mutant)
    played = f"{done[0].plays} plays and {len(DRILLS)} drills"
    console.print(f"{killed} of {len(mutants)} mutants killed; the reference held in {played}")
    return done


def main(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[MUTANT]...", help="Only these; none: all.")
    ] = None,
) -> None:
    """Play wrong loops over the catalogue, and say which check or drill catches which."""
    if unknown := [name for name in names or () if name not in MUTANTS]:
        raise typer.BadParameter(f"there is no mutant {unknown[0]!r}: see docs/claims.md")
    console = Console()
    mutants = tuple(mutant for name, mutant in MUTANTS.items() if not names or name in names)
    done = play(mutants, console)
    is_open: tuple[str, ...] = ()
    if not names:
        scenarios = catalogue()
        claims = claims_without_proof(CLAIMS, scenarios, done)
        for line in not_proven(done):
            console.print(line)
        is_open = (
            *(f"no mutant proves that {check} can fail" for check in unproven()),
            *(f"no mutant breaks a scenario or drill about {claim}" for claim in claims),
            *without_reason(scenarios, done),
            *needless(scenarios, done),
        )
    for line in is_open:
        console.print(f"[red]{line}[/red]")
    sys.exit(int(bool(is_open) or not all(kill.is_right for kill in done)))


if __name__ == "__main__":
    typer.run(main)
