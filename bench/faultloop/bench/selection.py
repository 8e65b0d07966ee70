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

from faultloop.bench import mutants
from faultloop.scenarios.applicable import why_not
from faultloop.scenarios.reading import catalogue
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Column, Subject
from faultloop.scenarios.subjects.finding import find

DEFAULT_SUBJECTS = ("reference", "reference-process")
DEFAULT_SEED = 1
KILL_REPEATS = 3
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
class Selection:
    """The options of a run, as given."""

    subjects: tuple[str, ...] = DEFAULT_SUBJECTS
    scenarios: tuple[str, ...] = ("*",)
    """Globs on scenario names."""
    dialects: tuple[str, ...] = ()
    streaming: bool | None = None
    seed: int = DEFAULT_SEED
    repeat: int | None = None
    quick: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One play that is to be made."""

    scenario: Scenario
    repeat: int
    why_not: str | None
    """Why it does not apply to this subject in this column, where it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """What one subject plays in one column."""

    chosen: str
    """The subject as it was asked for: a name, or the path of a subject.toml."""
    subject: Subject
    column: Column
    seed: int
    pieces: tuple[Piece, ...]

    @property
    def name(self) -> str:
        """Names the column in a report: `reference-openai_chat-streamed`."""
        form = "streamed" if self.column.streaming else "whole"
        return f"{self.subject.name}-{self.column.dialect}-{form}"


def choose(selection: Selection, scenarios: Sequence[Scenario] | None = None) -> tuple[Lot, ...]:
    """The lots that a selection asks for, in the order of its subjects.

    Raises BadSelection, and BadSubject for a subject that cannot be had.
    """
    chosen = _scenarios(selection, catalogue() if scenarios is None else scenarios)
    lots = tuple(
        Lot(
            chosen=chosen_subject,
            subject=subject,
            column=column,
            seed=selection.seed,
            pieces=_pieces(selection, subject, column, chosen),
        )
        for chosen_subject in dict.fromkeys(selection.subjects)
        for subject in (subject_of(chosen_subject),)
        for column in _columns(selection, subject)
    )
    if not lots:
        raise BadSelection(
            f"none of {', '.join(selection.subjects)} speaks "
            f"{', '.join(selection.dialects) or 'any dialect'} "
            f"{_FORMS[selection.streaming]}"
        )
    return lots


def subject_of(chosen: str) -> Subject:
    """The subject of a name, `mutant:NAME` or a path. Raises BadSubject."""
    prefix, _, name = chosen.partition(":")
    return mutants.subject(name) if prefix == "mutant" else find(chosen)


def _scenarios(selection: Selection, known: Sequence[Scenario]) -> list[Scenario]:
    globs = QUICK if selection.quick and selection.scenarios == ("*",) else selection.scenarios
    chosen = [s for s in known if any(fnmatch.fnmatchcase(s.name, glob) for glob in globs)]
    if not chosen:
        names = [scenario.name for scenario in known]
        near = difflib.get_close_matches(globs[0], names, n=NEAR_MAX, cutoff=0.0)
        raise BadSelection(
            f"no scenario is called {' or '.join(globs)}; of the {len(names)} that there are, "
            f"nearest are {', '.join(near)}"
        )
    return chosen


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
    selection: Selection, subject: Subject, column: Column, scenarios: Sequence[Scenario]
) -> tuple[Piece, ...]:
    return tuple(
        Piece(
            scenario=scenario,
            repeat=repeat,
            why_not=why_not(scenario, subject.capabilities, column),
        )
        for scenario in scenarios
        for repeat in range(_repeats(selection, subject, scenario))
    )


def _repeats(selection: Selection, subject: Subject, scenario: Scenario) -> int:
    if selection.repeat is not None:
        return selection.repeat
    races = subject.capabilities.tier == "real" and any(e.do == "kill" for e in scenario.events)
    return KILL_REPEATS if races and not selection.quick else 1
