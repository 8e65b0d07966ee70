"""What a person asks to be played: the options of a run, as a value.

Nothing is looked up here, and nothing heavy is imported: the pytest plugin is loaded into every
pytest run of whoever has faultloop installed, and needs the words only. `selection` makes plays of
them.
"""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_SUBJECTS = ("reference", "reference-process")
DEFAULT_SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The options of a run, as given."""

    subjects: tuple[str, ...] = DEFAULT_SUBJECTS
    scenarios: tuple[str, ...] = ("*",)
    """Globs on scenario names, and scenario files."""
    dialects: tuple[str, ...] = ()
    streaming: bool | None = None
    seed: int = DEFAULT_SEED
    repeat: int | None = None
    """How many plays of each scenario; None: as many as `usual_repeats` says."""
    only_repeat: int | None = None
    """Only the play with this number, from 0, of each scenario."""
    quick: bool = False
