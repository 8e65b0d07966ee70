"""A loop whose next turn begins from nothing: what the user asked for is gone."""

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import Message, UserMessage


class LosesThePrompt(Agent):
    """Keeps only what came since the user's last message."""

    def messages(self) -> tuple[Message, ...]:
        """From the last user message on."""
        seen = super().messages()
        said = [place for place, message in enumerate(seen) if isinstance(message, UserMessage)]
        return seen[said[-1] :] if said else seen


MUTANT = Mutant(
    name="loses-the-prompt",
    does="forgets earlier turns, the user's words included",
    claims=("L15",),
    breaks=("input_kept",),
    agent=LosesThePrompt,
)
