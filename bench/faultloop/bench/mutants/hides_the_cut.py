"""A loop that says nothing about a turn that was cut."""

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import Message, Notice, ResultMessage


class HidesTheCut(Agent):
    """Sends neither its notices nor the reason why a call was not run."""

    def messages(self) -> tuple[Message, ...]:
        """The conversation as if nothing had been interrupted."""
        return tuple(
            msgspec.structs.replace(message, content="(no output)")
            if isinstance(message, ResultMessage) and not message.ok
            else message
            for message in super().messages()
            if not isinstance(message, Notice)
        )


MUTANT = Mutant(
    name="hides-the-cut",
    does="does not tell the next turn that the last one was cut",
    claims=("X3",),
    breaks=("cut_told",),
    agent=HidesTheCut,
)
