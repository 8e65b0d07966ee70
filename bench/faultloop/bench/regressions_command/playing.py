"""Playing the pairs: every version of a subject once in each column, whatever regressions want it.

A side that cannot be played (not installed, no such subject, a driver that does not start) is
`unknown` with its reason, and no other side suffers from it.
"""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from faultloop.bench.regressions_command.reading import (
    BadRegressions,
    Regression,
    scenario_of,
    subject_at,
)
from faultloop.bench.regressions_command.side import Pair, Side, seen_in
from faultloop.bench.running import play_lot
from faultloop.bench.selection import BadSelection, Lot, Piece, choose
from faultloop.bench.subjects_command.installing import not_installed
from faultloop.bench.wanted import Selection
from faultloop.reports.rows import Played, PlayKey, PlayRecord
from faultloop.scenarios.reading import BadScenario
from faultloop.scenarios.subject import BadSubject
from faultloop.scenarios.subjects.installed import why_not_installed
from faultloop.scenarios.subjects.installing import CannotInstall
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.verdict import Verdict


class Wanted(NamedTuple):
    """One side that is to be played."""

    regression: Regression
    version: str
    expected: Verdict
    lot: Lot | None
    """Its plays; None: there can be none."""
    why_not: str
    replay: str
    to_install: str = ""
    """What `subjects install` takes, where all that keeps it from being played is that."""


Install = Callable[[ProcessSubject], object]
"""Installs a subject that is missing. Raises CannotInstall."""


def wanted(found: Iterable[Regression], file: Path, install: Install | None) -> list[Wanted]:
    """All sides, those of a regression one after the other."""
    return [
        _wanted(one, version, expected, file, install)
        for one in found
        for version, expected in ((one.affected, Verdict.BROKEN), (one.fixed, Verdict.HELD))
        if version is not None
    ]


def _wanted(
    one: Regression, version: str, expected: Verdict, file: Path, install: Install | None
) -> Wanted:
    chosen, scenario = subject_at(one, version, file), scenario_of(one, file)
    form = "--stream" if one.streaming else "--no-stream"
    words = ("faultloop", "run", "--subject", chosen, "--scenario", scenario)
    replay = shlex.join((*words, "--dialect", one.dialect, form))
    selection = Selection(
        subjects=(chosen,),
        scenarios=(scenario,),
        dialects=(one.dialect,),
        streaming=one.streaming,
    )
    lot, why_not, to_install = None, "", ""
    try:
        (lot,) = choose(selection)
        if why_not := _missing(lot, install):
            to_install = chosen
    except (BadSelection, BadScenario, BadSubject, CannotInstall) as error:
        why_not = str(error)
    lot = None if why_not else lot
    return Wanted(one, version, expected, lot, why_not, replay, to_install)


def _missing(lot: Lot, install: Install | None) -> str:
    """Why the subject is not here; empty where it is, or is by now."""
    subject, recipe = lot.subject, not_installed(lot.subject)
    if recipe is None or not isinstance(subject, ProcessSubject):
        return ""
    if install is not None and not subject.declaration.is_proprietary:
        install(subject)
        return ""
    return why_not_installed(recipe, asked=subject.asked)


def lots_of(sides: Sequence[Wanted]) -> list[Lot]:
    """Each subject in each column once, with all that any side wants of it.

    Raises BadRegressions where one would stand for another of the same name.
    """
    lots: dict[str, Lot] = {}
    for lot in (side.lot for side in sides if side.lot is not None):
        there = lots.setdefault(lot.name, lot)
        if lot.chosen != there.chosen:
            raise BadRegressions(
                f"{there.chosen} and {lot.chosen} are both called {lot.subject.name}, so that their"
                " plays could not be told apart: rename one"
            )
        lots[lot.name] = dataclasses.replace(there, pieces=_union(there.pieces, lot.pieces))
    return list(lots.values())


def _union(some: tuple[Piece, ...], more: tuple[Piece, ...]) -> tuple[Piece, ...]:
    pieces = {(piece.scenario.name, piece.repeat): piece for piece in some}
    for piece in more:
        there = pieces.setdefault((piece.scenario.name, piece.repeat), piece)
        if there.file != piece.file:
            raise BadRegressions(
                f"{there.file or 'the catalogue'} and {piece.file or 'the catalogue'} both have a"
                f" scenario called {piece.scenario.name}: rename one"
            )
    return tuple(pieces.values())


def play(
    sides: Sequence[Wanted],
    *,
    keep: Callable[[Played], None],
    began: Callable[[Lot], object] = lambda lot: None,
) -> list[Pair]:
    """Play all sides and return the pairs in the order of their regressions."""
    records: dict[str, Sequence[PlayRecord]] = {}
    failed: dict[str, str] = {}
    silent: set[PlayKey] = set()

    def kept(played: Played) -> None:
        keep(played)
        if not played.requests and played.record.end_reason != "completed":
            silent.add(played.record.key)

    for lot in lots_of(sides):
        began(lot)
        try:
            records[lot.name] = play_lot(lot, keep=kept)
        except BadSubject as error:
            failed[lot.name] = str(error)
    pairs: dict[str, list[Side]] = {}
    for side in sides:
        pairs.setdefault(side.regression.id, []).append(_side(side, records, failed, silent))
    regressions = {side.regression.id: side.regression for side in sides}
    return [Pair(regression=regressions[name], sides=tuple(two)) for name, two in pairs.items()]


def _side(
    side: Wanted,
    records: dict[str, Sequence[PlayRecord]],
    failed: dict[str, str],
    silent: Collection[PlayKey],
) -> Side:
    """`silent`: plays that ended before anything was asked. A driver that does not fit a version
    looks like that, whatever the version does, so they show no bug of it."""
    one, plays = side.regression, _plays(side, records)
    why_not = side.why_not or failed.get(side.lot.name if side.lot else "", "")
    if not why_not and (mute := next((play for play in plays if play.key in silent), None)):
        why_not = f"it ended before it asked the provider anything: {mute.reason}"
    if why_not:
        return Side(
            version=side.version,
            expected=side.expected,
            seen=Verdict.UNKNOWN,
            why=why_not,
            replay=side.replay,
            to_install=side.to_install,
        )
    return seen_in(plays, one.check, side.version, side.expected, side.replay)


def _plays(side: Wanted, records: dict[str, Sequence[PlayRecord]]) -> list[PlayRecord]:
    if side.lot is None:
        return []
    names = {piece.scenario.name for piece in side.lot.pieces}
    return [record for record in records.get(side.lot.name, ()) if record.scenario in names]
