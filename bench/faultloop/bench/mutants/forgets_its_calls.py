"""A loop that keeps results and forgets the calls that they answer."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import AssistantMessage, Message


class ForgetsItsCalls(Agent):
    """Prunes assistant messages that hold nothing but calls, as naive compaction does."""

    def messages(self) -> tuple[Message, ...]:
        """Everything but the replies that made calls."""
        return tuple(
            message
            for message in super().messages()
            if not (isinstance(message, AssistantMessage) and message.calls)
        )


MUTANT = Mutant(
    name="forgets-its-calls",
    does="sends results back without the calls that they answer",
    claims=("D6", "L1"),
    breaks=("no_orphans",),
    agent=ForgetsItsCalls,
)
