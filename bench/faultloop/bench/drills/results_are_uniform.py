"""Every result has one form: data, whether it is cut and how to read on; or code and message."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.events import CallEnded, CallNotExecuted
from faultloop.loop.tools.port import ToolContext, ToolResult

BUDGET_BYTES = 2_000
ON = "call it again with x = 2"

RESULTS: dict[str, ToolResult] = {
    "good": ToolResult(outcome="ok", content="the data"),
    "cut": ToolResult(outcome="ok", content="half of it", truncated=True, continuation=ON),
    "long": ToolResult(outcome="ok", content="x" * 10 * BUDGET_BYTES),
    "failed": ToolResult(outcome="failed", content="the door is shut", code="SHUT"),
    "unknown": ToolResult(outcome="unknown", content="nobody knows", code="GATEWAY_TIMEOUT"),
}
"""What the tools return."""

EXPECTED: dict[str, tuple[str, str, bool]] = {
    "good": ("ok", "", False),
    "cut": ("ok", "", True),
    "long": ("ok", "", True),
    "failed": ("failed", "SHUT", False),
    "unknown": ("unknown", "GATEWAY_TIMEOUT", False),
    "raises": ("unknown", "RAISED", False),
}
"""Outcome, code and truncated of each in the journal."""

REFUSED = {"nobody": "UNKNOWN_TOOL", "wrong": "INVALID_ARGS"}


def run(kit: Kit) -> Iterator[str]:
    """A batch of everything that can come back."""

    def body(name: str, args: dict[str, Any], context: ToolContext) -> ToolResult:
        if name == "raises":
            raise RuntimeError("no route to host")
        return RESULTS[name]

    names = [*EXPECTED, "wrong"]
    asks = [*(Ask(name) for name in EXPECTED), Ask("nobody"), Ask("wrong", '{"x":3}')]
    session = Session(kit, call(*asks), say("ok"))
    session.tools = tuple(
        toy(kit, name, partial(body, name), output_budget_bytes=BUDGET_BYTES) for name in names
    )
    play(partial(session.agent().prompt, "go"))
    told = dict(zip((ask.tool for ask in asks), session.model.told(), strict=True))
    ended = {asks[int(e.call[4:])].tool: e for e in session.of(CallEnded)}
    refused = {asks[int(e.call[4:])].tool: e for e in session.of(CallNotExecuted)}
    for name, expected in EXPECTED.items():
        event = ended.get(name)
        seen = None if event is None else (event.outcome, event.code, event.truncated)
        if seen != expected:
            yield f"the result {name!r} is in the journal as {seen}, not as {expected}"
        if event is not None and event.result.ok is not (expected[0] == "ok"):
            yield f"the model is shown the result {name!r} as ok={event.result.ok}"
        if expected[1] and expected[1] not in told[name]:
            yield f"the model is not told the code {expected[1]}: {told[name][:80]!r}"
    for name, code in REFUSED.items():
        event_ = refused.get(name)
        if event_ is None or event_.code != code:
            yield f"a call that cannot run has the code {event_ and event_.code}, not {code}"
    if "cut" in ended and (ended["cut"].continuation != ON or ON not in told["cut"]):
        yield f"how to read on, {ON!r}, did not come back: {told['cut']!r}"
    if len(told["long"].encode()) > BUDGET_BYTES or "cut" not in told["long"]:
        yield "a long result came back without a word that it is cut"


DRILL = Drill(
    name="results-are-uniform",
    claim="each result has data, truncation and continuation, or a code and a message for people",
    claims=("C4", "C7", "P9"),
    evidence="journal",
    run=run,
)
