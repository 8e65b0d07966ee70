"""A loop that sorts out of a reply the calls that it cannot run, and says nothing of them."""

from msgspec.structs import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Reply
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import ModelRequest


class Sorting(Asking):
    """Keeps the calls of tools that there are, where there is one."""

    async def listen(self, request: ModelRequest, attempt: str) -> Reply:
        """The reply as if it had asked for nothing else."""
        reply = await super().listen(request, attempt)
        tools = {tool["name"] for tool in request.tools}
        known = tuple(call for call in reply.message.calls if call.name in tools)
        return replace(reply, message=replace(reply.message, calls=known)) if known else reply


class DropsWhatItCannotRun(Agent):
    """Leaves the model to find out."""

    asking = Sorting


MUTANT = Mutant(
    name="drops-what-it-cannot-run",
    does="drops a call of an unknown tool without a word to the model",
    claims=("P6", "P7"),
    breaks=("failure_explained",),
    agent=DropsWhatItCannotRun,
    scenarios=("good-and-bad-call-in-one-batch", "one-call"),
)
