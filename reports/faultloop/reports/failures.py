"""failures/: for each broken or unknown play a folder with all that is needed to play it again.

`scenario.yaml` is a plain scenario file; `play.json` says who played it and how; `history.jsonl` is
what was observed and `stderr.txt` what the subject wrote there. A drill has no scenario file: the
command in its record plays it again.
"""

from __future__ import annotations

from pathlib import Path

import pydantic

from faultloop.fakes import history as histories
from faultloop.reports.reading import BadReport
from faultloop.reports.rows import DRILL, Played, PlayRecord, play_name
from faultloop.reports.writing import replace
from faultloop.scenarios.reading import dump
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.verdict import Verdict

FOLDER = "failures"
FILES = ("play.json", "scenario.yaml", "history.jsonl", "stderr.txt")
FAILED = (Verdict.BROKEN, Verdict.UNKNOWN)


class SavedPlay(PlayRecord):
    """play.json: the play's record and how to find its subject again."""

    chosen: str
    """A name, `mutant:NAME` or the path of a subject.toml, as it was given."""


def save(report: Path, played: Played) -> None:
    """Write the folder of a play, if it is broken or unknown. Raises OSError."""
    record = played.record
    if record.verdict not in FAILED:
        return
    folder = report / FOLDER / play_name(record.key)
    folder.mkdir(parents=True, exist_ok=True)
    # First what says that the folder is ours, should the disk fill in the middle.
    saved = SavedPlay(chosen=played.chosen or record.subject, **dict(record))
    replace(folder / "play.json", saved.model_dump_json(indent=2) + "\n")
    if record.dialect != DRILL:
        replace(folder / "scenario.yaml", dump(Scenario.model_validate(played.scenario)))
    replace(folder / "history.jsonl", histories.dump(played.history))
    replace(folder / "stderr.txt", played.stderr)


def is_saved(folder: Path) -> bool:
    """Whether a path is a folder that `save` wrote, or began, and nobody added to."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    names = {path.name for path in folder.iterdir()}
    if not names:
        return True
    try:
        read_play(folder)
    except BadReport:
        return False
    return names <= set(FILES)


def delete(folder: Path) -> None:
    """Remove a folder that `save` wrote. Raises OSError, also where it holds anything else."""
    for name in reversed(FILES):  # what says that it is ours goes last
        (folder / name).unlink(missing_ok=True)
    folder.rmdir()


def read_play(folder: Path) -> SavedPlay:
    """Who played a saved failure and how it ended; the scenario file lies beside it.

    Raises BadReport where the folder is no saved failure.
    """
    path = folder / "play.json"
    try:
        return SavedPlay.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BadReport(folder, f"{folder} is no saved failure: it has no play.json") from error
    except pydantic.ValidationError as error:
        raise BadReport(path, f"{path} is no play: {error.errors()[0]['msg']}") from error
