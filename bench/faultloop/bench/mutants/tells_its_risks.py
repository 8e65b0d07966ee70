"""A contract whose description tells the model what only the runtime should know."""

from __future__ import annotations

from dataclasses import dataclass, replace

from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.contract import Contract


@dataclass(frozen=True, slots=True, kw_only=True)
class Talkative(Contract):
    """Keeps nothing to itself."""

    def description(self) -> str:
        """What the model reads, and more."""
        told = Contract.description(self)
        return f"{told}\nRisk: {self.risk}. Output: {self.output_budget_bytes} bytes at most."


def talkative(kit: Kit) -> Kit:
    """The right loop, and contracts that say too much."""
    return replace(kit, contract=Talkative)


MUTANT = Mutant(
    name="tells-its-risks",
    does="puts the runtime's face into the model's context",
    claims=("C1",),
    drills=("renderings-derive",),
    kit=talkative,
)
