"""A loop that keeps what is said meanwhile in two places, and reads both."""

from dataclasses import replace

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.message import Message, UserMessage
from faultloop.loop.policy import Policy


class HearsItTwice(Agent):
    """Says the user's later words again."""

    def messages(self) -> tuple[Message, ...]:
        """All user messages but the session's first stand twice."""
        seen = super().messages()
        first = next((one for one in seen if isinstance(one, UserMessage)), None)
        return tuple(
            one
            for message in seen
            for one in (
                (message, message)
                if isinstance(message, UserMessage) and message is not first
                else (message,)
            )
        )


def keeping(policy: Policy) -> Policy:
    """The same policy, which keeps what was queued when the user cancelled."""
    return replace(policy, queue_on_cancel="keep", follow_up_claims="all")


MUTANT = Mutant(
    name="hears-it-twice",
    does="puts what the user said while it ran into the conversation twice",
    claims=("X7", "I2", "X6"),
    breaks=("queue_honoured",),
    agent=HearsItTwice,
    policy=keeping,
    scenarios=(
        "follow-up-*",
        "steer-*",
        "redirected-during-the-tests",
        "cancel-with-a-follow-up-waiting",
    ),
)
