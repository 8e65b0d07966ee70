"""The results of a comparison: all that its report is made of, and nothing that depends on time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from faultloop.reports.accuracy.conclusion import Conclusions
from faultloop.scenarios.wordings.observation import Observation
from faultloop.scenarios.wordings.task import Task
from faultloop.scenarios.wordings.wording import Wording


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """One comparison, ready to be told. Equal results make equal bytes."""

    conclusions: Conclusions
    observations: tuple[Observation, ...]
    tasks: Mapping[str, Task]
    """By id."""
    wordings: tuple[Wording, ...]
    """Base first."""
    model: str
    """As the user named it."""
    about_model: str
    """What kind of model it is and what it cannot do, in a sentence or two; may be empty."""
    tasks_name: str
    """The set of tasks, as the user named it."""
    design: str
    """How it was asked, in a sentence: orders, samples, seed."""
    remarks: tuple[str, ...] = ()
    """What a reader must know beside the figures: stopped early, repeats, damaged answers."""
    command: str = ""
    """The one command that makes this report again."""
