"""A contract that takes silence for a good sign."""

from __future__ import annotations

from dataclasses import dataclass, replace

from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.contract import Contract, Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class Trusting(Contract):
    """Undeclared means harmless."""

    idempotent: bool = True
    risk: Risk = "low"


def trusting(kit: Kit) -> Kit:
    """The right loop, and contracts that promise what nobody said."""
    return replace(kit, contract=Trusting)


MUTANT = Mutant(
    name="trusts-the-undeclared",
    does="retries a tool that declares nothing, and takes it for harmless",
    claims=("C2",),
    drills=("undeclared-is-careful",),
    kit=trusting,
)
