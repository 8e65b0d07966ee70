"""A loop that asks the last hook first, so that nobody sees what the one before made."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.hooks import NO_HOOKS, Hooks


class AsksHooksBackwards(Agent):
    """Unwinds its hooks like a stack."""

    def __init__(self, *, hooks: Hooks = NO_HOOKS, **given: Any) -> None:
        backwards = {one.name: getattr(hooks, one.name)[::-1] for one in fields(hooks)}
        super().__init__(hooks=Hooks(**backwards), **given)


MUTANT = Mutant(
    name="asks-hooks-backwards",
    does="asks the hooks of a point in another order than they were given",
    claims=("L13",),
    drills=("hooks-have-their-places",),
    agent=AsksHooksBackwards,
)
