"""Replaying one saved failure: the same scenario, subject, column and seed, once more.

A failure is a folder below a report's failures/: the scenario file and who played it lie together,
so it can be replayed after the catalogue has changed. What a killed process had made durable is a
race, so the repeats beside the one that failed can be played as well. What failed because streamed
and whole differ is played in both forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from faultloop.bench.drilling import drilled_again
from faultloop.bench.running import play_lot
from faultloop.bench.selection import Lot, Piece, subject_of, usual_repeats
from faultloop.reports.failures import read_play
from faultloop.reports.forms import differs, with_played
from faultloop.reports.rows import DRILL, Played, PlayRecord
from faultloop.scenarios.applicable import why_not
from faultloop.scenarios.reading import load
from faultloop.scenarios.subject import Column


def replay_failure(saved: Path, *, all_repeats: bool = False) -> Sequence[PlayRecord]:
    """Play it again and return how it went, in the order of the repeats.

    `saved` is the folder or a file in it. Only the repeat that was saved is played, or
    `all_repeats` of its scenario. Raises BadReport, BadScenario or BadSubject for what is wrong
    with the folder's content.
    """
    folder = saved.parent if saved.is_file() else saved
    record = read_play(folder)
    if record.dialect == DRILL:
        return [drilled_again(folder, record)]
    scenario = load(folder / "scenario.yaml")
    subject = subject_of(record.chosen)
    several = range(max(usual_repeats(subject, scenario), record.repeat + 1))
    plays: list[Played] = []
    for streaming in (True, False) if differs(record) else (record.streaming,):
        column = Column(dialect=record.dialect, streaming=streaming)
        lot = Lot(
            chosen=record.chosen,
            subject=subject,
            column=column,
            seed=record.seed,
            pieces=tuple(
                Piece(
                    scenario=scenario,
                    file=str(folder.absolute() / "scenario.yaml"),
                    repeat=repeat,
                    why_not=why_not(scenario, subject.capabilities, column),
                )
                for repeat in (several if all_repeats else (record.repeat,))
            ),
        )
        play_lot(lot, keep=plays.append)
    found = [play.record for play in with_played(plays)]
    asked = [play for play in found if play.streaming == record.streaming]
    return sorted(asked, key=lambda play: play.repeat)
