"""A registry that finds every tool it ever heard of, shut ones included."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.registry import Found, Registry, UnknownTool
from faultloop.loop.tools.port import Tool


class Leaky(Registry):
    """Shows some tools and lends all."""

    def find(self, name: str) -> Found | UnknownTool:
        """Whatever is held under this name."""
        found = super().find(name)
        held = self._tools.get(name)
        return Found(tool=held) if held is not None else found

    def plus(self, *tools: Tool) -> Registry:
        """As leaky as this one."""
        return Leaky((*self._tools.values(), *tools), shut=self._shut)

    def only(self, names: Collection[str]) -> Registry:
        """As leaky as this one."""
        return Leaky(self._tools.values(), shut=self._tools.keys() - set(names))


def leaky(kit: Kit) -> Kit:
    """The right loop, and a registry that keeps nothing shut."""
    return replace(kit, registry=Leaky)


MUTANT = Mutant(
    name="opens-what-is-shut",
    does="runs a tool that is shut in this session",
    claims=("C10",),
    drills=("registry-is-asked",),
    kit=leaky,
)
