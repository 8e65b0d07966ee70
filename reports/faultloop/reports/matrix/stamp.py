"""A cell's stamp: what was played there, with what, when and where; `cell.json` beside its report.

The report itself holds nothing that depends on the clock or the machine; this is where that is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pydantic
from pydantic import Field

from faultloop.reports.rows import Record

STAMP = "cell.json"


class Stamp(Record):
    """cell.json, version 1."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    fingerprint: str
    """Of everything that the plays were made of."""
    subject: str
    version: str
    about: str
    chosen: str
    """How the subject was asked for."""
    seed: int
    kill_repeats: int
    """How often each scenario that kills was played."""
    faultloop: str
    """The version that played."""
    date: str
    """The day on which it was last played, ISO 8601."""
    machine: str
    wall_s: float
    """How long it took, in seconds, over all the runs that it was made in."""

    @property
    def name(self) -> str:
        """The subject's name alone; one of a chosen version is called by both."""
        return self.subject.removesuffix(f"@{self.version}")


def read_stamp(folder: Path) -> Stamp | None:
    """The stamp of a cell; None where there is none that can be read."""
    try:
        return Stamp.model_validate_json((folder / STAMP).read_bytes())
    except (OSError, pydantic.ValidationError):
        return None
