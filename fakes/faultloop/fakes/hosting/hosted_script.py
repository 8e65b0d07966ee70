"""The script of a hosted conversation: what the model says, and where trouble strikes.

One list of steps, said one after the other, whatever the user says in between. Where no world is
declared the model calls the tools that the client offers, and the client runs them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.plan import Plan
from faultloop.fakes.recorded import NOTHING, Recording
from faultloop.fakes.script import Script, Step
from faultloop.fakes.strictness.levels import REAL, Strictness
from faultloop.fakes.world.spec import WorldSpec


class BadScript(Exception):
    """A script cannot be hosted; its author is at fault. The text is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedScript:
    """What every conversation that it is loaded for begins with."""

    name: str
    """Where it is from, for people: a file, a scenario."""
    steps: tuple[Step, ...]
    """At least one."""
    faults: tuple[Fault, ...] = ()
    """`at: step N` counts from 1."""
    strictness: Strictness = REAL
    """What the provider rejects."""
    world: WorldSpec = field(default_factory=WorldSpec)
    """Tools that are served beside the provider, below `tools`."""
    recording: Recording = NOTHING
    """What was recorded beside the steps."""
    notes: tuple[str, ...] = ()
    """What of its source is not played when it is hosted, a sentence each."""

    def plan(self, conversation: str, *, seed: int, requests_max: int) -> Plan:
        """The plan of one conversation's stage."""
        return Plan(
            seed=seed,
            play=conversation,
            script=Script(turns=(self.steps,)),
            inputs=("",),
            world=self.world,
            faults=self.faults,
            strictness=self.strictness,
            requests_max=requests_max,
            hosted=True,
            recording=self.recording,
        )
