"""The stage of one play: a scripted provider and a fake world that share one history.

Everything that a subject can reach from outside goes through here, and everything that is
witnessed is written here. The stage knows no HTTP: `app` brings requests and carries answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.landmarks import Trigger
from faultloop.fakes.script import Script
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


class Deeds(Protocol):
    """What the bench can do to the running start of a subject; given to the stage by the play."""

    async def kill(self, start: int) -> None:
        """End it at once."""
        ...

    async def cancel(self, start: int) -> None:
        """The user's cancel."""
        ...

    async def say(
        self, start: int, kind: Literal["message", "steer", "follow_up"], text: str
    ) -> None:
        """Input while it runs."""
        ...
