"""What a mutant is: the reference loop with just one promise broken, and who must notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import faultloop.bench.subjects
from faultloop.bench.drills.kit.parts import Kit, as_it_is, unchanged, untouched
from faultloop.loop.engine import Agent
from faultloop.loop.policy import Policy
from faultloop.loop.tools.port import Tool
from faultloop.scenarios.subject import Subject, Tier
from faultloop.scenarios.subjects.declaration import read_declaration
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.subjects.reference import ReferenceSubject
from faultloop.scenarios.subjects.reference_parts import Parts, agent_of

IN_A_PROCESS = Path(faultloop.bench.subjects.__file__).parent / "reference_process"
"""The subject whose loop is a mutant's in the real tier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A wrong loop, made by a small override of the right one."""

    name: str
    does: str
    """What it does wrong, for a person: `mutant:NAME` ..."""
    claims: tuple[str, ...]
    """SPEC ids of the promises that it breaks."""
    breaks: tuple[str, ...] = ()
    """Checks that must find it broken somewhere in the catalogue."""
    drills: tuple[str, ...] = ()
    """Drills that must find it broken, where no check can."""
    agent: type[Agent] = Agent
    policy: Callable[[Policy], Policy] = unchanged
    tool: Callable[[Tool], Tool] = untouched
    kit: Callable[[Kit], Kit] = as_it_is
    """Replaces a part that only drills use: a journal, a contract, a rendering."""
    tier: Tier = "sim"
    """`real` where what it does wrong needs processes."""
    scenarios: tuple[str, ...] = ("*",)
    """Globs on what the kill table plays with it; all but where wall time counts. A mutant that
    breaks drills alone is played no scenario."""

    def subject(self) -> Subject:
        """The wrong loop as a subject of its tier."""
        name = f"mutant:{self.name}"
        if self.tier == "sim":
            return ReferenceSubject(name=name, about=self.does, assembly=self.assemble, preset="")
        command = ("{python}", "-m", "faultloop.bench.mutants.in_a_process", self.name)
        changes = {"name": name, "about": self.does, "command": command}
        declaration = read_declaration(IN_A_PROCESS).model_copy(update=changes)
        return ProcessSubject(declaration, IN_A_PROCESS)

    def drilled(self) -> Kit:
        """The parts of the wrong loop, for drills."""
        return self.kit(Kit(agent=self.agent, policy=self.policy, tool=self.tool))

    def assemble(self, parts: Parts) -> Agent:
        """The agent of one start."""
        changed = replace(
            parts, policy=self.policy(parts.policy), tools=tuple(map(self.tool, parts.tools))
        )
        return agent_of(self.agent, changed)
