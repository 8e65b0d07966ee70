"""A loop that learns its tools when it is made, and no others."""

from __future__ import annotations

from collections.abc import Sequence

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.registry import Registry
from faultloop.loop.tools.port import Tool


class KnowsItsToolsByHeart(Agent):
    """Takes no new tools."""

    @property
    def tools(self) -> Registry:
        """The tools that it was made with."""
        return self.offer.tools

    @tools.setter
    def tools(self, tools: Registry | Sequence[Tool]) -> None:
        """Nod, and go on as before."""


MUTANT = Mutant(
    name="knows-its-tools-by-heart",
    does="does not hear of tools that come or go at run time",
    claims=("C10",),
    drills=("registry-is-asked",),
    agent=KnowsItsToolsByHeart,
)
