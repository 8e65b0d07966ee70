"""A loop that believes to be done when the model asks for the same thing again."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Reply
from faultloop.loop.engine import Agent
from faultloop.loop.message import AssistantMessage, Call
from faultloop.loop.providers.port import ModelRequest


class Concluding(Asking):
    """Takes a question that was answered before for an idle one."""

    async def listen(self, request: ModelRequest, attempt: str) -> Reply:
        """A reply of repeated calls loses them, and is a last word."""
        reply = await super().listen(request, attempt)
        asked = {
            _what(call)
            for message in request.messages
            if isinstance(message, AssistantMessage)
            for call in message.calls
        }
        calls = reply.message.calls
        if not calls or reply.message.truncated or not all(_what(call) in asked for call in calls):
            return reply
        last = msgspec.structs.replace(reply.message, calls=(), text=reply.message.text or "Done.")
        return msgspec.structs.replace(reply, message=last)


def _what(call: Call) -> tuple[str, str]:
    return call.name, call.arguments


class TakesARepeatForTheEnd(Agent):
    """Takes an answered call for a finished job."""

    asking = Concluding


MUTANT = Mutant(
    name="takes-a-repeat-for-the-end",
    does="ends the turn as completed when the model asks for the same thing again",
    claims=("L10", "L6"),
    breaks=("end_acceptable",),
    agent=TakesARepeatForTheEnd,
)
