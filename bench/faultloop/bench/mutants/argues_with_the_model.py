"""A loop that does not take no for an answer."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Reply
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import ModelRequest, ProviderFailure


class Arguing(Asking):
    """Takes a refusal for a failed attempt."""

    async def listen(self, request: ModelRequest, attempt: str) -> Reply:
        """A reply that does not refuse."""
        reply = await super().listen(request, attempt)
        if "can't help" in reply.message.text:
            raise ProviderFailure("broken", "the model refused")
        return reply


class ArguesWithTheModel(Agent):
    """Asks until it is told what it wants to hear."""

    asking = Arguing


MUTANT = Mutant(
    name="argues-with-the-model",
    does="asks again and again where the model has refused",
    claims=("L11", "L3"),
    breaks=("end_acceptable",),
    agent=ArguesWithTheModel,
    scenarios=("refusal-is-*",),
)
