"""A loop that drops the cut call of a reply and runs those before it, which look complete."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Reply
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import ModelRequest


class Salvaging(Asking):
    """Keeps what it can of a cut reply."""

    async def listen(self, request: ModelRequest, attempt: str) -> Reply:
        """A cut reply without its last call counts as whole."""
        reply = await super().listen(request, attempt)
        message = reply.message
        if not message.truncated or len(message.calls) < 2:
            return reply
        kept = msgspec.structs.replace(message, calls=message.calls[:-1], truncated=False)
        return msgspec.structs.replace(reply, message=kept, ending="whole")


class RunsTheWholeOnesOfACutReply(Agent):
    """Runs a part of a plan."""

    asking = Salvaging


MUTANT = Mutant(
    name="runs-the-whole-ones-of-a-cut-reply",
    does="runs those calls of a cut reply that look complete",
    claims=("P1", "L4"),
    breaks=("truncated_not_executed",),
    agent=RunsTheWholeOnesOfACutReply,
    scenarios=("*cut-*",),
)
