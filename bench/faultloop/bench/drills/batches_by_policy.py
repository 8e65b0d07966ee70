"""Policies for a whole batch: one sequential tool, or anything but safe reads, serialises it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.tools.port import ToolContext

READ, AGAIN, LAST = (Ask("read", f'{{"x":"{number}"}}') for number in (1, 2, 3))
"""Safe, and only reads; no two are alike, for a guard against repeats would refuse the second."""
TOUCH = Ask("touch")
"""Safe beside others, but changes something."""
ACT = Ask("act")
"""Exclusive."""
WRONG = Ask("read", '{"x":3}')
"""A read whose arguments are refused."""

TABLE: dict[tuple[Ask, ...], dict[str, int]] = {
    (READ, AGAIN, LAST): {
        "per_call": 3,
        "one_sequential_serialises": 3,
        "all_read_only": 3,
    },
    (READ, AGAIN, TOUCH): {
        "per_call": 3,
        "one_sequential_serialises": 3,
        "all_read_only": 1,
    },
    (READ, AGAIN, ACT): {
        "per_call": 2,
        "one_sequential_serialises": 1,
        "all_read_only": 1,
    },
    (READ, AGAIN, WRONG): {
        "per_call": 2,
        "one_sequential_serialises": 1,
        "all_read_only": 1,
    },
}
"""By batch and policy: how many of its calls run at the same time."""


def run(kit: Kit) -> Iterator[str]:
    """Every batch under every policy."""
    for asks, row in TABLE.items():
        for policy, expected in row.items():
            if (most := _most(kit, asks, policy)) != expected:
                names = ", ".join(f"{ask.tool}({ask.arguments})" for ask in asks)
                yield f"under {policy}, {most} of [{names}] ran at once, not {expected}"


def _most(kit: Kit, asks: tuple[Ask, ...], policy: str) -> int:
    inside, most = [0], [0]

    async def body(args: dict[str, Any], context: ToolContext) -> str:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        await asyncio.sleep(1)
        inside[0] -= 1
        return "done"

    session = Session(kit, call(*asks), say("ok"), whole_batch=policy)
    session.tools = (
        toy(kit, "read", body, read_only=True, concurrency_safe=True),
        toy(kit, "touch", body, concurrency_safe=True),
        toy(kit, "act", body),
    )
    play(partial(session.agent().prompt, "go"))
    return most[0]


DRILL = Drill(
    name="batches-by-policy",
    claim="a policy for the whole batch serialises it for one sequential tool, or for any call that"
    " is no valid safe read",
    claims=("S6", "S1"),
    evidence="journal",
    run=run,
)
