"""A registry that takes a tool for unchanged as long as it has its name."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.registry import Registry


class Nominal(Registry):
    """Looks at names."""

    @cached_property
    def digest(self) -> str:
        """The names of the tools."""
        return " ".join(self.names)


def nominal(kit: Kit) -> Kit:
    """The right loop, and a registry to which wording is nothing."""
    return replace(kit, registry=Nominal)


MUTANT = Mutant(
    name="tells-tools-by-name",
    does="does not notice that a tool's wording or schema changed",
    claims=("C9", "L16"),
    drills=("wording-is-interface",),
    kit=nominal,
)
