"""A tool that declares nothing runs alone, is tried once, and counts as the riskiest."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.bench.drills.kit.toys import SAFE
from faultloop.loop.tools.port import ToolContext, ToolResult

ASKS = [Ask(tool, f'{{"x":"{x}"}}') for x in (1, 2) for tool in ("look", "bare")]
"""No two are alike: under a guard against repeats the second would not be tried at all."""


def run(kit: Kit) -> Iterator[str]:
    """Two calls of an undeclared tool stand among reads; one of them fails and may be retried."""
    inside: list[str] = []
    found: list[str] = []

    def watched(name: str) -> Any:
        async def body(args: dict[str, Any], context: ToolContext) -> ToolResult | str:
            if inside and "bare" in (name, *inside):
                found.append(f"{name} ran beside {inside[0]}, and one of them declares nothing")
            inside.append(name)
            await asyncio.sleep(1)
            inside.remove(name)
            if name == "bare" and len(bare.runs) == 1:
                return ToolResult(outcome="failed", content="busy", code="BUSY", retryable=True)
            return "done"

        return body

    bare = toy(kit, "bare", watched("bare"))
    session = Session(kit, call(*ASKS), say("ok"))
    session.tools = (bare, toy(kit, "look", watched("look"), **SAFE))

    async def story() -> None:
        await session.agent().prompt("go")

    play(story)
    yield from found
    if len(bare.runs) != 2:
        yield f"two calls of a tool that declares nothing were tried {len(bare.runs)} times"
    contract = bare.contract
    if contract.risk != "high":
        yield f"a tool that declares nothing has the risk {contract.risk!r}"
    trusted = [name for name in TRUSTING if getattr(contract, name)]
    if trusted:
        yield f"a tool that declares nothing counts as {', '.join(trusted)}"


TRUSTING = (
    "read_only",
    "concurrency_safe",
    "idempotent",
    "honours_key",
    "cancellable",
    "concludes",
)
"""What has to be declared before a loop may rely on it."""

DRILL = Drill(
    name="undeclared-is-careful",
    claim="what a tool does not declare takes the careful side: alone, tried once, riskiest",
    claims=("C2",),
    evidence="journal",
    run=run,
)
