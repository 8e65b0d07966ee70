"""From options to plays: which subject, which column, which scenario, how often.

A lot is everything that one subject plays in one column. Lots are the unit that pytest shows and
that a worker takes whole; a play never leaves its lot. Bad options raise `BadSelection`, whose
sentence says what there is to choose from.
"""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from faultloop.bench.wanted import Selection
from faultloop.scenarios.applicable import why_not
from faultloop.scenarios.reading import catalogue, load
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Column, Subject
from faultloop.scenarios.subjects.finding import asked_for, find

KILL_REPEATS = 5
"""What a subject had made durable when it was killed is a race of its own: kills are repeated."""

QUICK = (
    "cut-arguments-are-not-run",
    "complete-arguments-of-a-cut-reply",
    "unknown-tool-is-explained",
    "two-effects-in-one-call",
    "pull-request-504-created",
    "cancel-while-a-tool-runs",
    "cancel-own-command",
    "killed-after-the-effect",
    "killed-between-effect-and-record",
)
"""The six faults that the project is named after."""


NEAR_MAX = 4

_FORMS = {None: "in any form", True: "streamed", False: "whole"}


class BadSelection(Exception):
    """The options select nothing that can be played; the user can mend it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One play that is to be made."""

    scenario: Scenario
    file: str
    """Where it was read from, if it is none of the catalogue."""
    repeat: int
    why_not: str | None
    """Why it does not apply to this subject in this column, where it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """What one subject plays in one column."""

    chosen: str
    """The subject as it was asked for: a name, or the absolute path of a subject.toml."""
    subject: Subject
    column: Column
    seed: int
    pieces: tuple[Piece, ...]

    @property
    def name(self) -> str:
        """Names the column in a report: `reference-openai_chat-streamed`."""
        form = "streamed" if self.column.streaming else "whole"
        return f"{self.subject.name}-{self.column.dialect}-{form}"


def choose(selection: Selection) -> tuple[Lot, ...]:
    """The lots that a selection asks for, in the order of its subjects.

    Raises BadSelection, BadScenario for a scenario file that is wrong, and BadSubject for a subject
    that cannot be had.
    """
    _check_numbers(selection)
    chosen = _scenarios(selection)
    lots = tuple(
        Lot(
            chosen=placed(asked),
            subject=subject,
            column=column,
            seed=selection.seed,
            pieces=_pieces(selection, subject, column, chosen),
        )
        for asked in dict.fromkeys(selection.subjects)
        for subject in (subject_of(asked),)
        for column in _columns(selection, subject)
    )
    names = [lot.name for lot in lots]
    if len(set(names)) < len(names):
        raise BadSelection(
            f"two of the subjects {', '.join(selection.subjects)} have the same name; a report "
            "could not tell them apart: give one another name in its subject.toml"
        )
    if not lots:
        raise BadSelection(
            f"none of {', '.join(selection.subjects)} speaks "
            f"{', '.join(selection.dialects) or 'any dialect'} "
            f"{_FORMS[selection.streaming]}"
        )
    return lots


def _check_numbers(selection: Selection) -> None:
    if selection.repeat is not None and selection.repeat < 1:
        raise BadSelection(f"--repeat {selection.repeat} plays nothing: give 1 or more")
    if selection.only_repeat is not None:
        if selection.only_repeat < 0:
            raise BadSelection(f"--only-repeat {selection.only_repeat}: repeats count from 0")
        if selection.repeat is not None:
            raise BadSelection(
                "--repeat plays the first so many of each scenario and --only-repeat one of them: "
                "give one of the two"
            )
    if not -(2**63) <= selection.seed < 2**63:
        raise BadSelection(f"--seed {selection.seed} does not fit into 64 bits")


def placed(asked: str) -> str:
    """What was asked for, so that it means the same from everywhere: paths become absolute."""
    place, version = asked_for(asked)
    path = Path(place)
    is_path = path.exists() and ("/" in place or path.suffix)
    return f"{path.absolute()}{'@' if version else ''}{version}" if is_path else asked


def subject_of(chosen: str) -> Subject:
    """The subject of a name, `mutant:NAME` or a path. Raises BadSubject."""
    prefix, _, name = chosen.partition(":")
    if prefix != "mutant":
        return find(chosen)
    from faultloop.bench import mutants  # some two hundred modules that other subjects do without

    return mutants.subject(name)


class _Chosen(NamedTuple):
    scenario: Scenario
    file: str


def _scenarios(selection: Selection) -> list[_Chosen]:
    """What is to be played, each with the file that it was read from (none: the catalogue)."""
    asked = selection.scenarios
    files = [one for one in asked if one.endswith((".yaml", ".yml"))]
    globs = QUICK if selection.quick and asked == ("*",) else tuple(set(asked) - set(files))
    known = catalogue()
    chosen = [
        _Chosen(scenario, "")
        for scenario in known
        if any(fnmatch.fnmatchcase(scenario.name, glob) for glob in globs)
    ]
    if globs and not chosen and not _are_drills(globs):
        names = [scenario.name for scenario in known]
        near = difflib.get_close_matches(globs[0], names, n=NEAR_MAX, cutoff=0.0)
        raise BadSelection(
            f"no scenario is called {' or '.join(globs)}; of the {len(names)} that there are, "
            f"nearest are {', '.join(near)}"
        )
    for file in files:
        scenario = load(Path(file))
        if any(scenario.name == other.scenario.name for other in chosen):
            raise BadSelection(
                f"{file}: there are two scenarios called {scenario.name} in this run; a report "
                "could not tell them apart: rename one"
            )
        chosen.append(_Chosen(scenario, str(Path(file).absolute())))
    return chosen


def _are_drills(globs: Sequence[str]) -> bool:
    from faultloop.bench.drills import DRILLS  # only where no scenario has such a name

    return any(fnmatch.fnmatchcase(name, glob) for name in DRILLS for glob in globs)


def _columns(selection: Selection, subject: Subject) -> list[Column]:
    declared = subject.capabilities
    return [
        Column(dialect=dialect, streaming=streaming)
        for dialect in declared.dialects
        if not selection.dialects or dialect in selection.dialects
        for streaming in sorted(declared.streaming, reverse=True)
        if selection.streaming in (None, streaming)
    ][: 1 if selection.quick else None]


def _pieces(
    selection: Selection, subject: Subject, column: Column, scenarios: Sequence[_Chosen]
) -> tuple[Piece, ...]:
    return tuple(
        Piece(
            scenario=scenario,
            file=file,
            repeat=repeat,
            why_not=why_not(scenario, subject.capabilities, column),
        )
        for scenario, file in scenarios
        for repeat in _repeats(selection, subject, scenario)
    )


def _repeats(selection: Selection, subject: Subject, scenario: Scenario) -> Sequence[int]:
    if selection.only_repeat is not None:
        return (selection.only_repeat,)
    if selection.repeat is not None:
        return range(selection.repeat)
    return range(1 if selection.quick else usual_repeats(subject, scenario))


def usual_repeats(subject: Subject, scenario: Scenario) -> int:
    """How often a scenario is played where nothing else is asked for."""
    races = subject.capabilities.tier == "real" and any(e.do == "kill" for e in scenario.events)
    return KILL_REPEATS if races else 1
