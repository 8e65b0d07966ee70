"""A loop that goes on where a hook that should have been asked is broken."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.hooks import NO_HOOKS, Hooks


class TakesABrokenHookForAYes(Agent):
    """Sees no objection where nobody could object."""

    def __init__(self, *, hooks: Hooks = NO_HOOKS, **given: Any) -> None:
        lenient = tuple(_lenient(hook) for hook in hooks.before_tool)
        super().__init__(hooks=replace(hooks, before_tool=lenient), **given)


def _lenient(hook: Callable[..., Any]) -> Callable[..., Any]:
    async def asked(*given: Any) -> Any:
        try:
            answer = hook(*given)
            return await answer if inspect.isawaitable(answer) else answer
        except Exception:
            return None

    return asked


MUTANT = Mutant(
    name="takes-a-broken-hook-for-a-yes",
    does="runs a call whose before-tool hook raised",
    claims=("L13",),
    drills=("hooks-have-their-places",),
    agent=TakesABrokenHookForAYes,
)
