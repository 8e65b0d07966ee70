"""A comparison on the terminal: what is going to be asked, how far it is, and what came of it."""

from __future__ import annotations

from datetime import date

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from faultloop.bench.comparing.command import Compared, Read, Wanted, compare, foreseen
from faultloop.reports.accuracy.conclusion import Interval, Rate
from faultloop.scenarios.wordings.models import asking


class Telling:
    """Results go to one console, everything else to the other."""

    def __init__(self, out: Console, err: Console) -> None:
        self._out = out
        self._err = err

    def run(self, wanted: Wanted, found: Read, *, today: date) -> Compared:
        """Make the comparison under a progress bar. Raises BadComparison."""
        names = ", ".join(wording.name for wording in found.wordings)
        self._say(f"{names}: asked of {wanted.model}")
        if found.design:
            self._say(found.design)
        self._say(foreseen(wanted, found))
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[cost]}"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self._err, transient=True) as bar:
            line = bar.add_task("asking", total=None, cost="")

            def tell(progress: asking.Progress) -> None:
                cost = progress.took.cost_usd
                bar.update(
                    line,
                    total=progress.total,
                    completed=progress.done,
                    cost="" if cost is None else f"{cost:.4f} US dollars",
                )

            return compare(wanted, found, today=today, tell=tell, says=self._say)

    def told(self, made: Compared) -> None:
        """Say what came of it: the headline last, where eyes are."""
        conclusions = made.conclusions
        table = Table(box=None, pad_edge=False, header_style="dim")
        for head in ("wording", *conclusions.metrics, "no answer"):
            table.add_column(head, justify="left" if head == "wording" else "right")
        for name in (conclusions.base, *conclusions.candidates):
            rates = {rate.metric: rate for rate in conclusions.rates if rate.wording == name}
            cells = [_rate(rates.get(metric)) for metric in conclusions.metrics]
            failures = max((rate.failures for rate in rates.values()), default=0)
            table.add_row(escape(name), *cells, str(failures))
        self._out.print(table)
        for remark in (*made.experiment.remarks, *conclusions.notes):
            self._say(f"note: {remark}")
        progress = made.experiment.progress
        took = progress.took
        self._say(
            f"{took.requests} requests, {progress.cached} answers from before,"
            f" {took.usage.input_tokens + took.usage.output_tokens} tokens"
        )
        headline = conclusions.headline.says
        self._out.print(headline, style="bold", markup=False, highlight=False, soft_wrap=True)
        self._out.print(f"page: {made.page}", markup=False, highlight=False, soft_wrap=True)

    def _say(self, sentence: str) -> None:
        self._err.print(sentence, markup=False, highlight=False, soft_wrap=True)


def _rate(rate: Rate | None) -> str:
    if rate is None:
        return "n/a"
    return f"{rate.rate:.1%} {_interval(rate.interval)}"


def _interval(interval: Interval) -> str:
    return f"[{interval.low:.1%}, {interval.high:.1%}]"
