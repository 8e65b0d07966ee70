"""What a mutant is: the reference loop with just one promise broken, and who must notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import faultloop.bench.subjects
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


def unchanged(policy: Policy) -> Policy:
    """The policy as it is."""
    return policy


def untouched(tool: Tool) -> Tool:
    """The tool as it is."""
    return tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A wrong loop, made by a small override of the right one."""

    name: str
    does: str
    """What it does wrong, for a person: `mutant:NAME` ..."""
    breaks: tuple[str, ...]
    """Checks that must find it broken somewhere in the catalogue."""
    agent: type[Agent] = Agent
    policy: Callable[[Policy], Policy] = unchanged
    tool: Callable[[Tool], Tool] = untouched
    tier: Tier = "sim"
    """`real` where what it does wrong needs processes."""
    scenarios: tuple[str, ...] = ("*",)
    """Globs on what the kill table plays with it; all but where wall time counts."""

    def subject(self) -> Subject:
        """The wrong loop as a subject of its tier."""
        name = f"mutant:{self.name}"
        if self.tier == "sim":
            return ReferenceSubject(name=name, about=self.does, assembly=self.assemble, preset="")
        command = ("{python}", "-m", "faultloop.bench.mutants.in_a_process", self.name)
        changes = {"name": name, "about": self.does, "command": command}
        declaration = read_declaration(IN_A_PROCESS).model_copy(update=changes)
        return ProcessSubject(declaration, IN_A_PROCESS)

    def assemble(self, parts: Parts) -> Agent:
        """The agent of one start."""
        changed = replace(
            parts, policy=self.policy(parts.policy), tools=tuple(map(self.tool, parts.tools))
        )
        return agent_of(self.agent, changed)
