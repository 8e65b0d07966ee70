"""What a mutant is: the reference loop with just one promise broken, and who must notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from faultloop.loop.engine import Agent
from faultloop.loop.policy import Policy
from faultloop.scenarios.subjects.reference import ReferenceSubject
from faultloop.scenarios.subjects.reference_parts import Parts, agent_of


def unchanged(policy: Policy) -> Policy:
    """The policy as it is."""
    return policy


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

    def subject(self) -> ReferenceSubject:
        """The wrong loop as a subject of the sim tier."""
        return ReferenceSubject(
            name=f"mutant:{self.name}", about=self.does, assembly=self.assemble, preset=""
        )

    def assemble(self, parts: Parts) -> Agent:
        """The agent of one start."""
        return agent_of(self.agent, replace(parts, policy=self.policy(parts.policy)))
