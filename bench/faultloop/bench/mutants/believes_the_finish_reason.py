"""A loop that asks the finish reason whether there are calls, not the calls."""

import asyncio

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Reply
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import ModelRequest


class Believing(Asking):
    """Drops calls that were not announced, and waits for those that were."""

    async def listen(self, request: ModelRequest, attempt: str) -> Reply:
        """The reply that the finish reason promises."""
        reply = await super().listen(request, attempt)
        message = reply.message
        if message.finish_reason == "stop":
            return msgspec.structs.replace(
                reply, message=msgspec.structs.replace(message, calls=())
            )
        if message.finish_reason == "tool_calls" and not message.calls:
            await asyncio.Event().wait()  # they must be about to come
        return reply


class BelievesTheFinishReason(Agent):
    """Trusts a word more than what is there."""

    asking = Believing


MUTANT = Mutant(
    name="believes-the-finish-reason",
    does="ignores calls that finish with stop, and waits for calls that never come",
    claims=("P11", "L6"),
    breaks=("end_acceptable",),
    agent=BelievesTheFinishReason,
)
