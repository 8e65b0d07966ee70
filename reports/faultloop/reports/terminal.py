"""The end of a run in a terminal: one line per column, then each play that needs a person."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from faultloop.reports.headline import GLYPHS, WORDS, column, headline
from faultloop.reports.rows import PlayRecord, Summary
from faultloop.scenarios.verdict import Verdict

STYLES = {
    Verdict.BROKEN: "bold red",
    Verdict.UNKNOWN: "yellow",
    Verdict.HELD: "green",
    Verdict.NOT_APPLICABLE: "dim",
}
LISTED_MAX = 20
"""More than this nobody reads in a terminal; the report has them all."""

_ORDER = (Verdict.HELD, Verdict.BROKEN, Verdict.UNKNOWN, Verdict.NOT_APPLICABLE)


def closing(summary: Summary, *, where: str = "") -> RenderableType:
    """What is printed when a run is over; `where` names the report, if one was written.

    Print it with `crop=False`: a replay command is never cut or broken, so that it can be copied.
    """
    failed = [
        record
        for verdict in (Verdict.BROKEN, Verdict.UNKNOWN)
        for record in summary.plays
        if record.verdict is verdict
    ]
    parts: list[RenderableType] = [_table(summary), Text()]
    parts += [text for record in failed[:LISTED_MAX] for text in _lines(record)]
    if len(failed) > LISTED_MAX:
        elsewhere = f"all are in {where}" if where else "--report-dir DIR keeps them all"
        parts.append(Text(f"... and {len(failed) - LISTED_MAX} more; {elsewhere}", style="dim"))
    if failed:
        parts.append(Text())
    parts.append(Text(headline(summary), style="bold"))
    if where:
        parts.append(Text(f"report: {where}", no_wrap=True, overflow="ignore"))
    return Group(*parts)


def _table(summary: Summary) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("subject", "column", "tier"):
        table.add_column(name)
    for verdict in _ORDER:
        table.add_column(f"{GLYPHS[verdict]} {WORDS[verdict]}", justify="right")
    columns: dict[tuple[str, str, str], list[PlayRecord]] = {}
    for record in summary.plays:
        columns.setdefault((record.subject, column(record), record.tier), []).append(record)
    for place, records in columns.items():
        counts = [sum(record.verdict is verdict for record in records) for verdict in _ORDER]
        cells = [
            Text(str(count) if count else "·", style=STYLES[verdict] if count else "dim")
            for verdict, count in zip(_ORDER, counts, strict=True)
        ]
        table.add_row(*place, *cells)
    return table


def _lines(record: PlayRecord) -> list[Text]:
    head = Text.assemble(
        (f"{GLYPHS[record.verdict]} {record.scenario}", STYLES[record.verdict]),
        (f"  {record.subject}, {column(record)}", "dim"),
    )
    reason = Text("  " + " ".join(record.reason.split()), no_wrap=True, overflow="ellipsis")
    replay = Text(f"  {record.replay}", style="cyan", no_wrap=True, overflow="ignore")
    return [head, reason, replay]
