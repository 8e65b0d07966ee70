"""A cell of the matrix: all lots of one subject, their folder, and whether that is still true.

A cell is finished when its report is whole and its stamp bears the fingerprint of what would be
played now: scenarios, subject and version with its declaration and drivers, seed, repeats, and the
version of faultloop. Anything else is played anew; what an interrupted run of the same fingerprint
has kept is not.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from faultloop.bench.selection import Lot, Piece
from faultloop.reports.matrix.stamp import STAMP, Stamp, read_stamp
from faultloop.reports.reading import BadReport, read_summary
from faultloop.reports.rows import PlayKey, scenario_file
from faultloop.reports.writing import replace as replace_file
from faultloop.scenarios.subject import Subject
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.verdict import Verdict

CELLS = "cells"
"""The folder of them, below that of the matrix."""
SECOND = "--second"
"""Ends the folder of what a subject's second driver played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One subject's lots and where their report lies."""

    lots: tuple[Lot, ...]
    folder: Path
    fingerprint: str

    @property
    def subject(self) -> Subject:
        """The one that plays."""
        return self.lots[0].subject

    @property
    def plays(self) -> int:
        """How many there are to be made."""
        return sum(len(lot.pieces) for lot in self.lots)

    @property
    def is_finished(self) -> bool:
        """Whether its report is whole and of the same plays, and any of them could be made."""
        if self.stamp is None:
            return False
        try:
            summary = read_summary(self.folder)
        except BadReport:
            return False
        is_played = any(play.verdict is not Verdict.NOT_APPLICABLE for play in summary.plays)
        return is_played and not summary.is_cut_short

    @property
    def stamp(self) -> Stamp | None:
        """What lies in the folder, finished or not, if it was begun with the same plays."""
        stamp = read_stamp(self.folder)
        return stamp if stamp is not None and stamp.fingerprint == self.fingerprint else None

    def write(self, stamp: Stamp) -> None:
        """Put the stamp beside the report. Raises OSError."""
        replace_file(self.folder / STAMP, stamp.model_dump_json(by_alias=True, indent=1) + "\n")

    def without(self, done: frozenset[PlayKey]) -> tuple[Lot, ...]:
        """Its lots without these plays."""
        return tuple(
            replace(lot, pieces=tuple(p for p in lot.pieces if key_of(lot, p) not in done))
            for lot in self.lots
        )


def cell_of(lots: Sequence[Lot], matrix: Path, *, faultloop: str, suffix: str = "") -> Cell:
    """The cell of one subject's lots."""
    subject = lots[0].subject
    name = f"{subject.name.partition('@')[0].replace(':', '=')}@{subject.version}"
    name = re.sub(r"[^A-Za-z0-9.@=+-]+", "-", name)
    return Cell(
        lots=tuple(lots),
        folder=matrix / CELLS / f"{name}{suffix}",
        fingerprint=_fingerprint(lots, faultloop),
    )


def key_of(lot: Lot, piece: Piece) -> PlayKey:
    """What the play's record will be known by."""
    able = lot.subject.capabilities
    return PlayKey(
        scenario=piece.scenario.name,
        subject=lot.subject.name,
        dialect=lot.column.dialect,
        streaming=lot.column.streaming,
        tier=able.tier,
        policy=able.policy,
        seed=lot.seed,
        repeat=piece.repeat,
    )


def _fingerprint(lots: Sequence[Lot], faultloop: str) -> str:
    subject = lots[0].subject
    made_of = {
        "faultloop": faultloop,
        "subject": [subject.name, subject.version, subject.about, repr(subject.capabilities)],
        "made of": subject.digest() if isinstance(subject, ProcessSubject) else "",
        "lots": [
            [
                repr(lot.column),
                lot.seed,
                [[scenario_file(piece.scenario), piece.repeat] for piece in lot.pieces],
            ]
            for lot in lots
        ],
    }
    said = json.dumps(made_of, sort_keys=True, default=str)
    return hashlib.blake2b(said.encode(errors="replace"), digest_size=16).hexdigest()
