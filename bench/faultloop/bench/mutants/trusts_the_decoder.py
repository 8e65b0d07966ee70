"""A contract that leaves validation to whoever decoded under constraint."""

from __future__ import annotations

from dataclasses import dataclass, replace

import jsonschema_rs

from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.contract import Contract


@dataclass(frozen=True, slots=True, kw_only=True)
class Trusting(Contract):
    """Checks nothing where a decoder was told to."""

    def __post_init__(self) -> None:
        """Take any object for valid if the tool is strict."""
        Contract.__post_init__(self)
        if self.strict in ("preferred", "required"):
            object.__setattr__(self, "validator", jsonschema_rs.validator_for({"type": "object"}))


def trusting(kit: Kit) -> Kit:
    """The right loop, and contracts that believe a decoder."""
    return replace(kit, contract=Trusting)


MUTANT = Mutant(
    name="trusts-the-decoder",
    does="does not validate the arguments of strict tools",
    claims=("C11",),
    drills=("strict-is-honest",),
    kit=trusting,
)
