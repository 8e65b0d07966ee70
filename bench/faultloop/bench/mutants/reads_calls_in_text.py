"""A loop that runs whatever looks like a call in the model's text."""

import re
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    FinishDelta,
    ModelRequest,
    Provider,
    TextDelta,
)

CALL = re.compile(r"<tool_call>\s*(\{.*\})\s*</tool_call>", re.DOTALL)


class Reading(Provider):
    """Finds calls between the lines."""

    def __init__(self, provider: Any) -> None:
        self.provider = provider

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The same stream, with the call of its text before its finish reason."""
        text = ""
        async for delta in self.provider.stream(request):
            if isinstance(delta, TextDelta):
                text += delta.text
            found = CALL.search(text) if isinstance(delta, FinishDelta) else None
            if found:
                said = msgspec.json.decode(found[1])
                arguments = msgspec.json.encode(said["arguments"]).decode()
                yield CallDelta(0, "call_of_the_text", said["name"], arguments)
            yield delta


class ReadsCallsInText(Agent):
    """Takes a quotation for an order."""

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        super().__init__(provider=Reading(provider), **parts)


MUTANT = Mutant(
    name="reads-calls-in-text",
    does="runs a call that the model only wrote down in its text",
    claims=("P11",),
    breaks=("end_acceptable",),
    agent=ReadsCallsInText,
    scenarios=("call-in-the-text-*",),
)
