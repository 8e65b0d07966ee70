"""`python -m faultloop.bench.mutants`: play all mutants and print the kill table.

Exit code 1 where a mutant survives, a check has no mutant, or the reference is broken.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from faultloop.bench.mutants import MUTANTS
from faultloop.bench.mutants.kills import Kill, kills, unproven


def row(kill: Kill) -> tuple[str, str, str]:
    """A line of the table; what had to catch it stands first, in bold."""
    wanted = kill.mutant.breaks if kill.mutant else ()
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
    return kill.loop, verdict, by or "nothing"


def main() -> int:
    """Play, print, and say whether all is as it must be."""
    table = Table("loop", "verdict", "caught by (plays in which it was broken)", box=None)
    done: list[Kill] = []
    with Progress(transient=True, console=Console(stderr=True)) as progress:
        task = progress.add_task("mutants", total=len(MUTANTS) + 1)
        for kill in kills():
            done.append(kill)
            table.add_row(*row(kill))
            progress.advance(task)
    console = Console()
    console.print(table)
    killed = sum(kill.is_right for kill in done if kill.mutant)
    console.print(f"{killed} of {len(MUTANTS)} mutants killed, {done[0].plays} plays each")
    for check in unproven():
        console.print(f"[red]no mutant proves that {check} can fail[/red]")
    return int(bool(unproven()) or not all(kill.is_right for kill in done))


if __name__ == "__main__":
    sys.exit(main())
