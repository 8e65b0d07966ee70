"""What `faultloop regressions` does: read, install where asked, play, show, and write the page.

0 each line is as expected   1 one is not   3 one cannot be told, and none differs
"""

from __future__ import annotations

import difflib
import fnmatch
from pathlib import Path

from rich.console import Console

from faultloop.bench.regressions_command import page
from faultloop.bench.regressions_command.playing import lots_of, play, wanted
from faultloop.bench.regressions_command.reading import BadRegressions, Regression, read
from faultloop.bench.regressions_command.side import Agreement, Pair
from faultloop.bench.selection import Lot
from faultloop.bench.subjects_command.installing import installed_now
from faultloop.bench.wanted import DEFAULT_SEED
from faultloop.reports.reading import PAGE as REPORT_PAGE
from faultloop.reports.store import ReportDirectory
from faultloop.reports.writing import ReportUnwritable, replace
from faultloop.scenarios.room import why
from faultloop.scenarios.subjects.process import ProcessSubject

EXIT_OF = {Agreement.DIFFERS: 1, Agreement.CANNOT_TELL: 3, Agreement.AS_EXPECTED: 0}
"""The first of these that is seen decides."""
DETAILED_MAX = 8
"""Of more pairs than these the terminal tells only what differs, and of what is not installed only
a line for each subject; the page of --write tells all."""


def list_regressions(glob: str, *, file: Path) -> None:
    """Print what the glob chooses: id, subject and versions, what goes wrong, and where it is told.

    Raises BadRegressions.
    """
    for one in _chosen(glob, file):
        _say(Console(), page.listed(one))


def run_regressions(glob: str, *, file: Path, install: bool, write: bool, report_dir: Path) -> int:
    """Play what the glob chooses and return the exit code.

    Raises BadRegressions, and what keeping a report raises.
    """
    out, err = Console(), Console(stderr=True)
    found = _chosen(glob, file)
    if write and not page.PAGE.parent.is_dir():
        raise BadRegressions(f"--write: there is no folder {page.PAGE.parent} here to write to")
    if write and len(found) < len(read(file)):
        raise BadRegressions("--write makes the page of all lines: ask for all of them")

    def install_one(subject: ProcessSubject) -> None:
        recipe = subject.declaration.recipe()
        assert recipe is not None, "only what can be installed is missing"
        _say(err, installed_now(recipe, err))

    sides = wanted(found, file, install_one if install else None)
    report = ReportDirectory(report_dir, seed=DEFAULT_SEED)
    report.plan(sum(len(lot.pieces) for lot in lots_of(sides)))
    report.prepare()

    def began(lot: Lot) -> None:
        _say(err, f"{lot.name}: {len(lot.pieces)} plays")

    try:
        try:
            pairs = play(sides, keep=report.keep, began=began)
        finally:
            report.finish()
    finally:
        report.close()
    _show(out, pairs)
    _say(out, f"report: {report_dir / REPORT_PAGE}")
    if write:
        try:
            replace(page.PAGE, page.document(pairs))
        except OSError as error:
            raise ReportUnwritable(
                page.PAGE, f"{page.PAGE} cannot be written: {why(error)}"
            ) from error
    agreements = {pair.agreement for pair in pairs}
    return next(code for how, code in EXIT_OF.items() if how in agreements)


def _chosen(glob: str, file: Path) -> list[Regression]:
    """Those of this id or subject."""
    known = read(file)
    found = [
        one
        for one in known
        if fnmatch.fnmatchcase(one.id, glob) or fnmatch.fnmatchcase(one.subject, glob)
    ]
    if not found:
        names = dict.fromkeys(name for one in known for name in (one.subject, one.id))
        near = difflib.get_close_matches(glob, names, n=3, cutoff=0.4)
        meant = f": did you mean {' or '.join(near)}?" if near else ";"
        raise BadRegressions(
            f"{file}: no regression is called {glob}{meant} --list tells all that there are"
        )
    return found


def _show(out: Console, pairs: list[Pair]) -> None:
    is_detailed = len(pairs) <= DETAILED_MAX
    shown = [pair for pair in pairs if is_detailed or pair.is_played]
    if shown:
        out.print(page.table(shown))
    for sentence in (page.details if is_detailed else page.reasons)(pairs):
        _say(out, sentence)
    good = sum(pair.agreement is Agreement.AS_EXPECTED for pair in pairs)
    _say(out, f"{good} of {len(pairs)} as expected")


def _say(console: Console, sentence: str) -> None:
    console.print(sentence, markup=False, highlight=False, soft_wrap=True)
