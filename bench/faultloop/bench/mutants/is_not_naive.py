"""A minimal loop that is none: the careful one under its name."""

from __future__ import annotations

from dataclasses import replace

from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants.mutant import Mutant


def careful(kit: Kit) -> Kit:
    """The careful loop in place of the minimal one."""
    return replace(kit, naive="reference-process")


MUTANT = Mutant(
    name="is-not-naive",
    does="ships a careful loop as the one that everybody starts with",
    claims=("O1",),
    drills=("the-minimal-loop-breaks",),
    kit=careful,
)
