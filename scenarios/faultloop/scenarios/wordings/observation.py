"""An observation: one score with where it comes from; the row that statistics and reports read."""

from __future__ import annotations

import msgspec

from faultloop.scenarios.wordings.answer import Failure, Usage
from faultloop.scenarios.wordings.score import Flaw


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """One task under one wording, in one order of its tools, asked once."""

    wording: str
    task: str
    cluster: str
    """Tasks with the same tool set, or otherwise alike, share one; else the task's own id."""
    order: int
    """Which rotation of the task's tools, from 0; the same ones in every wording."""
    sample: int
    """Which asking of the same question, from 0."""
    is_repeat: bool = False
    """The same question to a deterministic model again: no sample, and not counted as one."""
    selected: bool
    filled: bool | None
    failure: Failure | None = None
    expected: str
    chosen: str
    flaws: tuple[Flaw, ...] = ()
    usage: Usage = Usage()
    cost_usd: float | None = None
    """None where nobody told what a token costs."""
    answered: str = ""
    """The answer for people: calls with their arguments, else the text; shortened."""

    @property
    def right(self) -> bool:
        """Chosen rightly, and filled rightly where that was put to the test."""
        return self.selected and self.filled is not False
