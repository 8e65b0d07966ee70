"""A loop that acts while the model still speaks, as soon as half a call can be made to fit."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import msgspec

from faultloop.bench.mutants.mends_what_was_cut import mended
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ModelRequest,
    Provider,
)
from faultloop.loop.tools.port import Tool


class Eager(Provider):
    """Ends the stream where the first call has all that its tool requires."""

    def __init__(self, provider: Any, required: dict[str, tuple[str, ...]]) -> None:
        self.provider = provider
        self.required = required

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The reply up to there, with an end of its own."""
        name, text = "", ""
        async with aclosing(self.provider.stream(request)) as deltas:
            async for delta in deltas:
                if not isinstance(delta, CallDelta):
                    yield delta
                    continue
                name, text = delta.name or name, text + (delta.arguments or "")
                if not self._fits(name, text):
                    yield delta
                    continue
                rest = mended(text).removeprefix(text)
                yield msgspec.structs.replace(delta, arguments=(delta.arguments or "") + rest)
                yield FinishDelta(reason="tool_calls", raw="tool_calls")
                yield EndDelta()
                return

    def _fits(self, name: str, text: str) -> bool:
        try:
            value = msgspec.json.decode(mended(text))
        except msgspec.DecodeError:
            return False
        return isinstance(value, dict) and all(one in value for one in self.required.get(name, "x"))


class ActsOnHalfACall(Agent):
    """Does not listen to the end."""

    def __init__(self, *, provider: Provider, tools: tuple[Tool, ...], **parts: Any) -> None:
        required = {tool.contract.name: tool.contract.required for tool in tools}
        super().__init__(provider=Eager(provider, required), tools=tools, **parts)


MUTANT = Mutant(
    name="acts-on-half-a-call",
    does="executes a call from a best-effort parse while its arguments are still coming",
    claims=("P2", "L4"),
    breaks=("arguments_exact",),
    agent=ActsOnHalfACall,
    scenarios=(
        "arguments-in-any-script",
        "cancel-in-the-middle-of-a-stream",
        "cut-arguments-*",
        "closed-at-a-byte",
        "half-closed-reply",
        "reset-at-a-byte",
    ),
)
