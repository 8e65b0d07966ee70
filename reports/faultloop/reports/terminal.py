"""The end of a run in a terminal: one line per column, then each play that needs a person."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from faultloop.reports.headline import GLYPHS, WORDS, column, cut_short, failures, headline, plays
from faultloop.reports.rows import PlayRecord, Summary
from faultloop.scenarios.verdict import Verdict

STYLES = {
    Verdict.BROKEN: "bold red",
    Verdict.UNKNOWN: "yellow",
    Verdict.HELD: "green",
    Verdict.NOT_APPLICABLE: "dim",
}
REASON_CHARS_MAX = 480
NAME_CHARS_MAX = 40
"""A narrow terminal wraps all else before it cuts the name of a subject."""
LISTED_MAX = 20
"""More than this nobody reads in a terminal; the report has them all."""

_ORDER = (Verdict.HELD, Verdict.BROKEN, Verdict.UNKNOWN, Verdict.NOT_APPLICABLE)


def closing(summary: Summary, *, where: str = "") -> RenderableType:
    """What is printed when a run is over; `where` names the report, if one was written.

    Print it with `crop=False`: a replay command is never cut or broken, so that it can be copied.
    """
    found = failures(summary)
    parts: list[RenderableType] = [_table(summary), Text()]
    parts += [text for failure in found[:LISTED_MAX] for text in _lines(failure)]
    if len(found) > LISTED_MAX:
        elsewhere = f"all are in {where}" if where else "--report-dir DIR keeps them all"
        parts.append(Text(f"... and {len(found) - LISTED_MAX} more; {elsewhere}", style="dim"))
    if found:
        parts.append(Text())
    parts += [Text(line, style="dim") for line in _unplayed(summary)]
    if cut := cut_short(summary):
        parts.append(Text(cut, style="yellow"))
    parts.append(Text(headline(summary), style="bold"))
    if where:
        parts.append(Text(f"report: {where}", no_wrap=True, overflow="ignore"))
    return Group(*parts)


def _table(summary: Summary) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    longest = max((len(record.subject) for record in summary.plays), default=0)
    table.add_column("subject", min_width=min(longest, NAME_CHARS_MAX))
    for name in ("column", "tier"):
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


def _unplayed(summary: Summary) -> list[str]:
    """Why nothing at all was played with a subject."""
    reasons: dict[str, dict[str, bool]] = {}
    for record in summary.plays:
        played = record.verdict is not Verdict.NOT_APPLICABLE
        found = reasons.setdefault(record.subject, {})
        found[record.reason] = found.get(record.reason, False) or played
    return [
        f"{subject}: {reason}"
        for subject, found in reasons.items()
        if not any(found.values())
        for reason in found
    ]


def _lines(failure: Sequence[PlayRecord]) -> list[Text]:
    """The scenario, how often and where it failed, and the first of these plays."""
    first = failure[0]
    columns = " and ".join(dict.fromkeys(map(column, failure)))
    times = f", {plays(len(failure))}" if len(failure) > 1 else ""
    head = Text.assemble(
        (f"{GLYPHS[first.verdict]} {first.scenario}", STYLES[first.verdict]),
        (f"  {first.subject}, {columns}{times}", "dim"),
    )
    reason = " ".join(first.reason.split())
    if len(reason) > REASON_CHARS_MAX:
        reason = reason[:REASON_CHARS_MAX] + "…"
    replay = Text(f"  {first.replay}", style="cyan", no_wrap=True, overflow="ignore")
    return [head, Text(f"  {reason}"), replay]
