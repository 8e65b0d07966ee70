"""Each limit ends the turn under its own name, and none of them stands in for being done."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import USAGE, Ask, Line, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.budget import Budget, Price
from faultloop.loop.events import AttemptEnded, TurnEnded
from faultloop.loop.providers.port import UsageDelta
from faultloop.loop.tools.port import ToolContext

STEPS = 4
"""Calls that the model would like to make, each in a step of its own, before it says a word."""

STEP_TOKENS = USAGE.input_tokens + USAGE.output_tokens

LIMITS: dict[str, Budget] = {
    "max_steps": Budget(steps_max=2),
    "token_budget": Budget(tokens_max=2 * STEP_TOKENS),
    "cost_budget": Budget(cost_usd_max=1e-5, price=Price(output_usd=1.0)),
    "timeout": Budget(wall_s_max=25.0),
}
"""By its name: a limit that two steps use up (steps of ten seconds each)."""

EXPLICIT = "steps are used up"
"""What an error must say by which used-up steps end a turn, where policy has it so."""


def run(kit: Kit) -> Iterator[str]:
    """The same long turn under each limit; then one that is done just when its limit is used up."""
    for reason, budget in LIMITS.items():
        yield from _ended(_played(kit, budget, steps_used_up="max_steps"), limit=reason, by=reason)
    failed = _played(kit, LIMITS["max_steps"], steps_used_up="error")
    yield from _ended(failed, limit="max_steps", by="error")
    errors = [event.error for event in failed.of(TurnEnded)]
    if not all(EXPLICIT in error for error in errors):
        yield f"the error by which used-up steps ended the turn does not name them: {errors}"
    done = _played(kit, Budget(steps_max=STEPS + 1, tokens_max=(STEPS + 1) * STEP_TOKENS))
    if (ends := [event.end_reason for event in done.of(TurnEnded)]) != ["completed"]:
        yield f"a turn that was done on its last step ended as {ends}"
    cached = _played(kit, Budget(tokens_max=2 * STEP_TOKENS), cached=USAGE.input_tokens)
    if (steps := len(cached.model.requests)) < 3:
        yield f"cached tokens were counted as if they had been read anew: {steps} steps"
    yield from _uncounted(kit)


def _ended(session: Session, *, limit: str, by: str) -> Iterator[str]:
    ends = [event.end_reason for event in session.of(TurnEnded)]
    if ends != [by]:
        yield f"a turn that used up its limit of {limit} ended as {ends}, not as {by}"
    if (requests := len(session.model.requests)) > 3:
        yield f"under the limit of {limit}, which two steps use up, it made {requests}"


def _calls() -> Iterator[Line]:
    """No two are alike: a guard against repeats would refuse the second."""
    for number in range(STEPS):
        yield call(Ask("act", f'{{"x":"{number}"}}'))


def _uncounted(kit: Kit) -> Iterator[str]:
    """A provider that counts no tokens does not make a limit mean nothing."""
    silent: list[Line] = [
        [piece for piece in line if not isinstance(piece, UsageDelta)] for line in _calls()
    ]
    session = Session(kit, *silent, tools=[toy(kit, "act")], budget=Budget(tokens_max=100))
    play(partial(session.agent().prompt, "go"))
    if (ends := [event.end_reason for event in session.of(TurnEnded)]) != ["token_budget"]:
        yield f"with a provider that counts nothing the turn ended as {ends}"
    if not all(event.estimated for event in session.of(AttemptEnded) if event.input_tokens):
        yield "tokens that nobody counted are in the journal as if somebody had"


def _played(kit: Kit, budget: Budget, *, cached: int = 0, **knobs: Any) -> Session:
    async def body(args: dict[str, Any], context: ToolContext) -> str:
        await asyncio.sleep(10)
        return "done"

    lines = [*(_cached(line, cached) for line in _calls()), say("ok")]
    session = Session(kit, *lines, budget=budget, **knobs)
    session.tools = (toy(kit, "act", body, cancellable=True),)
    play(partial(session.agent().prompt, "go"))
    return session


def _cached(line: Line, tokens: int) -> Line:
    counted = UsageDelta(USAGE.input_tokens, USAGE.output_tokens, tokens)
    return [counted if isinstance(piece, UsageDelta) else piece for piece in line]


DRILL = Drill(
    name="budgets-end-turns",
    claim="steps, time, tokens and cost each end a turn under their own name (steps, if policy has"
    " it so, by an error that names them), cached tokens apart",
    claims=("L2", "L11"),
    evidence="journal",
    run=run,
)
