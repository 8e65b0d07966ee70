"""A loop whose next turn knows what was said, and nothing of what was done."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import AssistantMessage, Message, ResultMessage, UserMessage


class KeepsOnlyTheTalk(Agent):
    """Leaves out all calls, and their results, from before the user's last message."""

    def messages(self) -> tuple[Message, ...]:
        """Earlier turns as two people would tell them."""
        seen = super().messages()
        said = [place for place, message in enumerate(seen) if isinstance(message, UserMessage)]
        here = said[-1] if said else 0
        return (*filter(_is_talk, seen[:here]), *seen[here:])


def _is_talk(message: Message) -> bool:
    if isinstance(message, AssistantMessage):
        return not message.calls
    return not isinstance(message, ResultMessage)


MUTANT = Mutant(
    name="keeps-only-the-talk",
    does="drops the calls of earlier turns and their results, and keeps what was said",
    claims=("D6",),
    breaks=("results_kept",),
    agent=KeepsOnlyTheTalk,
    scenarios=("second-message",),
)
