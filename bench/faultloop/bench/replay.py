"""Replaying one saved failure: the same scenario, subject, column and seed, once more.

A failure is a folder below a report's failures/: the scenario file and who played it lie together,
so it can be replayed after the catalogue has changed.
"""

from __future__ import annotations

from pathlib import Path

from faultloop.bench.running import play_lot
from faultloop.bench.selection import Lot, Piece, subject_of
from faultloop.reports.failures import read_play
from faultloop.reports.rows import PlayRecord
from faultloop.scenarios.applicable import why_not
from faultloop.scenarios.reading import load
from faultloop.scenarios.subject import Column


def replay_failure(folder: Path) -> PlayRecord:
    """Play it again and return how it went.

    Raises BadReport, BadScenario or BadSubject for what is wrong with the folder's content.
    """
    record = read_play(folder)
    scenario = load(folder / "scenario.yaml")
    subject = subject_of(record.chosen)
    column = Column(dialect=record.dialect, streaming=record.streaming)
    lot = Lot(
        chosen=record.chosen,
        subject=subject,
        column=column,
        seed=record.seed,
        pieces=(
            Piece(
                scenario=scenario,
                file=str(folder.absolute() / "scenario.yaml"),
                repeat=record.repeat,
                why_not=why_not(scenario, subject.capabilities, column),
            ),
        ),
    )
    (played,) = play_lot(lot, keep=lambda played: None)
    return played
