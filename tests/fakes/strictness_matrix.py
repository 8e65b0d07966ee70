"""`python -m tests.fakes.strictness_matrix`: each rule with each API, put to the test and printed.

The cases are those of the tests. Of each, what breaks the rule must get the API's own error, to the
byte, and its right neighbour a reply. Exit code 1 names the cells where that is not so.
"""

from __future__ import annotations

import sys
from collections import defaultdict

from rich.console import Console
from rich.table import Table

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.strictness import RULES, Strictness
from faultloop.fakes.strictness.levels import Level, RuleName

from .strictness_cases import Case
from .test_strictness_served import CASES, error, message_of, served

NOT_KEPT = "[dim]–[/]"
"""The API is not known to keep the rule; docs/strictness.md says what is known, and from where."""


def level(rule: RuleName, dialect: str) -> Level:
    """The level at which an API is asked a rule: `real`, unless only others of its dialect keep
    it."""
    return "strict" if RULES[rule].rows[dialect].by_others else "real"


def wrong(case: Case) -> list[str]:
    """What is not as it must be, a sentence each."""
    strictness = Strictness(level=level(case.rule, case.dialect), context_tokens=case.window)
    status, answer, _ = served(case.dialect, case.broken, strictness)
    found = []
    if status != 400 or answer != error(case, message_of(case, answer)):
        found.append(f"what breaks it is answered {status}: {str(answer)[:200]}")
    status, answer, _ = served(case.dialect, case.right, strictness)
    if status != 200:
        found.append(f"what keeps it is answered {status}: {str(answer)[:200]}")
    return [f"{case.rule}, {case.dialect}: {sentence}" for sentence in found]


def main() -> None:
    """Play all cases and print the table."""
    console = Console()
    cells: defaultdict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for case in CASES:
        cells[case.rule, case.dialect].append(wrong(case))
    table = Table("rule", box=None, header_style="")
    for dialect in DIALECTS:
        table.add_column("\n".join(dialect.split("_")))
    for rule in RULES:
        table.add_row(rule, *(_cell(rule, name, cells.get((rule, name))) for name in DIALECTS))
    console.print(table)
    console.print("400: what breaks the rule gets the API's own error, to the byte; 200: its right")
    console.print("neighbour is replied to; –: the API is not known to keep the rule; strict: only")
    console.print("others who speak the dialect are, and at that level it is asked")
    console.print(f"{len(cells)} rules of APIs, {len(CASES)} pairs of requests", highlight=False)
    untold = {(name, dialect) for name, rule in RULES.items() for dialect in rule.rows} - {*cells}
    bad = [sentence for played in cells.values() for each in played for sentence in each]
    bad += [f"{rule}, {dialect}: no request puts it to the test" for rule, dialect in untold]
    for sentence in sorted(bad):
        console.print(f"✗ {sentence}", style="red", markup=False, highlight=False, soft_wrap=True)
    sys.exit(bool(bad))


def _cell(rule: RuleName, dialect: str, played: list[list[str]] | None) -> str:
    if played is None:
        return NOT_KEPT
    at = " strict" if level(rule, dialect) == "strict" else ""
    return "[red]✗[/]" if any(played) else f"[green]✓ 400, 200{at}[/]"


if __name__ == "__main__":
    main()
