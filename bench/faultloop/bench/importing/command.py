"""`faultloop import bfcl`: read, convert, write, tell figures; and compare verdicts where asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from faultloop.bench.importing.page import Found, markdown
from faultloop.scenarios.sentences import nearest
from faultloop.scenarios.wordings.bfcl.checker import CheckerFailed, check
from faultloop.scenarios.wordings.bfcl.comparing import Compared, compare
from faultloop.scenarios.wordings.bfcl.importing import Imported, imported
from faultloop.scenarios.wordings.bfcl.source import CATEGORIES, BadSource, Source, find
from faultloop.scenarios.wordings.bfcl.writing import NotWritten, write

FINE, UNEXPLAINED, CANNOT_TELL = 0, 1, 3
DEFAULT_OUT = Path("bfcl")


class BadImport(Exception):
    """It cannot be imported; the text is one sentence for the user."""


def import_bfcl(
    path: Path | None,
    *,
    out: Path | None,
    categories: Sequence[str],
    check: bool,
    seed: int,
    page: Path | None,
) -> int:
    """Do it, and give the exit code. Raises BadImport."""
    if unknown := [one for one in categories if one not in CATEGORIES]:
        hint = nearest(unknown[0], CATEGORIES, noun="categories")
        raise BadImport(f"there is no category {unknown[0]!r}; {hint}")
    if page is not None and not check:
        raise BadImport("--page tells what --check finds; give both")
    console = Console()
    try:
        source = find(path)
        converted = [imported(source, one) for one in categories or CATEGORIES]
        _tell_figures(console, converted)
        if out is not None or not check:
            _write(console, converted, out or DEFAULT_OUT, source.version)
        return _compare(console, source, converted, seed, page) if check else FINE
    except (BadSource, NotWritten) as error:
        raise BadImport(str(error)) from error


def _tell_figures(console: Console, converted: Sequence[Imported]) -> None:
    table = Table("category", "rows", "tasks", "left out", "tools", "tool sets", box=None)
    for one in converted:
        figures = (
            len(one.rows), len(one.tasks), len(one.left_out), len(one.wording.contracts),
            one.clusters,
        )  # fmt: skip
        table.add_row(one.category, *(f"{figure:,}" for figure in figures))
    console.print(table)
    for one in converted:
        for left_out in one.left_out:
            _say(console, f"left out: {left_out.id}: {left_out.says}")


def _say(console: Console, sentence: str) -> None:
    console.print(sentence, markup=False, highlight=False, soft_wrap=True)


def _write(console: Console, converted: Sequence[Imported], out: Path, version: str) -> None:
    for one in converted:
        if not one.tasks:
            _say(console, f"{one.category}: no row of it can be scored, nothing is written")
            continue
        wording, tasks = write(one, out, version)
        _say(console, f"faultloop compare {wording} CANDIDATE.yaml --tasks {tasks}")


def _compare(
    console: Console, source: Source, converted: Sequence[Imported], seed: int, page: Path | None
) -> int:
    package = source.package
    if package is None:
        raise BadImport(f"beside {source.data} there is no checker; name the package of bfcl-eval")
    asked = [one for one in converted if CATEGORIES[one.category] == "calls"]
    if not any(one.tasks for one in asked):
        _say(console, "nothing was compared: no row of these categories expects a call")
        return CANNOT_TELL
    try:
        compared = compare(asked, lambda answers: check(package, answers).verdicts, seed)
    except CheckerFailed as error:
        _say(console, str(error))
        return CANNOT_TELL
    _tell_comparison(console, compared)
    if page is not None:
        text = markdown(Found(source.version, converted, compared, seed))
        try:
            page.write_text(text, encoding="utf-8")
        except OSError as error:
            raise BadImport(f"{page} cannot be written: {error.strerror}") from error
    is_explained = all(one.reason is not None for one in compared.disagreements)
    return FINE if is_explained else UNEXPLAINED


def _tell_comparison(console: Console, compared: Compared) -> None:
    for failing in compared.fails_itself:
        _say(console, f"fails its own checker: {failing.row.id}: {failing.verdict.says}")
    agree = len(compared.tried) - len(compared.disagreements)
    _say(console, f"{len(compared.tried):,} answers: {agree:,} verdicts agree")
    for reason, found in compared.by_reason:
        _say(console, f"{len(found):>6,}  {reason.name if reason else 'UNEXPLAINED'}")
    for one in compared.disagreements:
        if one.reason is None:
            calls = [(call.name, call.args) for call in one.tried.asked.calls]
            ours = "right" if one.tried.ours.right else "wrong"
            where = f"{one.tried.asked.row.id}, {one.tried.kind}"
            _say(console, f"unexplained: {where}: we say {ours}, and it does not: {calls}")
