"""The plan of a play: all that determines what its stage does.

Plain data, made from a scenario by whoever plays it. Equal plans behave equally.
"""

from __future__ import annotations

from dataclasses import dataclass

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.landmarks import Trigger
from faultloop.fakes.recorded import NOTHING, Recording
from faultloop.fakes.script import Script
from faultloop.fakes.strictness import REAL, Strictness
from faultloop.fakes.world.spec import WorldSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that determines what a stage does; equal plans behave equally."""

    seed: int
    play: str
    """Id of the play: enters ids and marks, and the URL in the real tier."""
    script: Script
    inputs: tuple[str, ...]
    """The user's messages, unmarked; as many as the script has turns."""
    world: WorldSpec
    faults: tuple[Fault, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    requests_max: int = 120
    """The provider refuses from here on."""
    hosted: bool = False
    """Whoever asks was not started here (`hosting`): texts bear no marks, a step is said however
    often it is asked for, and what is asked after the script's end is refused."""
    strictness: Strictness = REAL
    """What the provider rejects."""
    recording: Recording = NOTHING
    """What was recorded beside the script."""

    @property
    def is_plain(self) -> bool:
        """Nothing is staged and no work takes time: whoever asks is answered at once."""
        commands = (self.world.commands or {}).values()
        return not (self.triggers or self.faults or any(command.takes_s for command in commands))
