"""What a play has already said of the recorded answers that are said a number of times only.

A step's failures come one after the other before its reply; what was recorded beside the script is
given to each further request beside it, in order, and the last one stays.
"""

from __future__ import annotations

from faultloop.fakes.conversation import Conversation
from faultloop.fakes.recorded import Recorded
from faultloop.fakes.script import Step


class Recalled:
    """The counters of one play."""

    def __init__(self, beside: tuple[Step, ...]) -> None:
        self._beside = beside
        self._asked: dict[str, int] = {}
        """Requests beside the script, each with its number from 0."""
        self._failed: dict[tuple[int, int], int] = {}
        """How many of a step's failures were sent, by turn and index."""

    def is_beside(self, conversation: Conversation) -> bool | None:
        """Whether a request is beside the script; None: nothing was recorded that tells."""
        if not self._beside or conversation.tools:
            return None
        return not conversation.messages or conversation.messages[-1].role != "tool"

    def side_step(self, conversation: Conversation, otherwise: Step) -> Step:
        """What is said beside the script. Changes nothing."""
        if not self._beside:
            return otherwise
        number = self._asked.get(conversation.raw, len(self._asked))
        return self._beside[min(number, len(self._beside) - 1)]

    def said_beside(self, conversation: Conversation) -> None:
        """It was said; the same request is told the same again."""
        self._asked.setdefault(conversation.raw, len(self._asked))

    def failure(self, turn: int, index: int, step: Step) -> Recorded | None:
        """The recorded failure that a step is answered with this time."""
        count = self._failed.get((turn, index), 0)
        if index >= 0 and count < len(step.failures):
            self._failed[turn, index] = count + 1
            return step.failures[count]
        recorded = step.recorded
        return recorded if recorded is not None and recorded.is_failure else None
