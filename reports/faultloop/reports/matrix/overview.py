"""matrix.html: the matrix as data for its script, which makes elements of it and judges nothing.

The page links to the timelines in the cells beside it; `alone` says that it will lie elsewhere, as
in a repository, and then it holds what is to be known by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from faultloop.reports.advice import advice
from faultloop.reports.matrix import pages
from faultloop.reports.matrix.policy import Policy
from faultloop.reports.matrix.values import Breach, Column, Entry, Mark, Matrix
from faultloop.reports.page import for_script
from faultloop.reports.reading import PAGE
from faultloop.reports.render import html_of
from faultloop.reports.rows import play_name

SCRIPTS = ("overview.js", "entry.js")
STYLES = ("page.css", "overview.css")


def html(matrix: Matrix, *, alone: bool = False) -> str:
    """matrix.html; `alone`: without links to the cells, which will not lie beside it."""
    names = sorted(_scenarios(matrix))
    texts: dict[str, int] = {}  # standard error, which all promises of a play have in common
    columns = [_column(matrix, one, names, texts, alone=alone) for one in matrix.columns]
    return html_of(
        "matrix.html",
        title=pages.headline(matrix),
        no_ranking=pages.NO_RANKING,
        styles=STYLES,
        scripts=SCRIPTS,
        data_json=for_script(
            {
                "facts": pages.facts(matrix),
                "marks": [
                    {"name": mark, "glyph": pages.GLYPHS[mark], "words": pages.WORDS[mark]}
                    for mark in Mark
                ],
                "checks": [
                    {"name": name, "claim": claim, **advice(name)._asdict()}
                    for name, claim in matrix.checks
                ],
                "scenarios": [_scenario(matrix, name) for name in names],
                "columns": columns,
                "texts": list(texts),
                "left": [pages.why_left(one) for one in matrix.left],
            }
        ),
    )


def _scenarios(matrix: Matrix) -> set[str]:
    entries = (entry for column in matrix.columns for entry in column.entries.values())
    return {
        name
        for entry in entries
        for name in (*entry.held, *(breach.scenario for breach in entry.breaches))
    }


def _scenario(matrix: Matrix, name: str) -> dict[str, Any]:
    told = matrix.told.get(name)
    return {
        "name": name,
        "claim": told.claim if told else "",
        "accepted": told.accepted if told else (),
    }


def _column(
    matrix: Matrix, column: Column, names: list[str], texts: dict[str, int], *, alone: bool
) -> dict[str, Any]:
    stamp = column.stamp
    return {
        "subject": stamp.name,
        "version": stamp.version,
        "about": stamp.about,
        "driven": column.driven,
        "policies": _policies(column.policies),
        "date": stamp.date,
        "wall_s": round(stamp.wall_s),
        "words": column.words,
        "plays": column.plays,
        "played": column.played,
        "totals": column.totals(name for name, _ in matrix.checks),
        "entries": {
            check: _entry(entry, names, texts, "" if alone else column.folder)
            for check, entry in column.entries.items()
        },
    }


def _policies(policies: Iterable[Policy]) -> list[dict[str, str]]:
    """What is on record, each sentence once."""
    said = {policy.says: policy.source for policy in policies}
    return [{"says": says, "source": source} for says, source in said.items()]


def _entry(entry: Entry, names: list[str], texts: dict[str, int], folder: str) -> dict[str, Any]:
    return {
        "mark": entry.mark,
        "counts": entry.counts,
        "tested": entry.tested,
        "held": [names.index(name) for name in entry.held],
        "breaches": [_breach(one, names, texts, folder) for one in entry.breaches],
    }


def _breach(breach: Breach, names: list[str], texts: dict[str, int], folder: str) -> dict[str, Any]:
    return {
        "scenario": names.index(breach.scenario),
        "mark": breach.mark,
        "sentence": breach.sentence,
        "plays": breach.plays,
        "of": breach.of,
        "replay": breach.replay,
        "stderr": texts.setdefault(breach.stderr, len(texts)),
        "timeline": f"{folder}/{PAGE}#{play_name(breach.first)}" if folder else "",
        "policy": breach.policy.says if breach.policy else "",
        "source": breach.policy.source if breach.policy else "",
    }
