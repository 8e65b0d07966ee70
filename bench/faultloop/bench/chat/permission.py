"""May this run? What reads may; everything else is for the person to say (SPEC P10, P8).

The loop asks here only for calls that are valid. One question at a time is open; the person answers
with a line, so that nothing typed for another purpose grants anything by accident.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

from faultloop.bench.chat.fold import PersonAnswered, PersonAsked, ScreenEvent
from faultloop.loop.checking import Permission
from faultloop.loop.contract import Contract

NOBODY = (
    "nobody is at a terminal who could be asked, and the program was not started with --yes; tell"
    " the user what you would have done"
)
GRANTED = Permission(granted=True)


class Answer(NamedTuple):
    """What the person said to a question."""

    granted: bool
    always: bool = False
    reason: str = ""


WORDS: dict[str, Answer] = {
    "y": Answer(granted=True),
    "yes": Answer(granted=True),
    "a": Answer(granted=True, always=True),
    "always": Answer(granted=True, always=True),
    "n": Answer(granted=False),
    "no": Answer(granted=False),
}
"""What answers a question. After a no, the rest of the line is the reason that the model reads."""


def answered(line: str) -> Answer | None:
    """The answer that a line is, if it is one."""
    first, _, rest = line.strip().partition(" ")
    answer = WORDS.get(first.lower().rstrip(",.;:!"))
    if answer is None or (answer.granted and rest):
        return None
    return answer._replace(reason=rest.strip())


class Permissions:
    """What was granted so far, and the question that is open."""

    def __init__(self, see: Callable[[ScreenEvent], None], *, all_granted: bool, person: bool):
        """`person`: somebody can be asked."""
        self._see = see
        self._all_granted = all_granted
        self._person = person
        self._always: set[str] = set()
        self._question: asyncio.Future[Answer] | None = None

    async def permit(self, contract: Contract, args: dict[str, Any]) -> Permission:
        """The loop asks. A cancel of the turn cancels this, and so clears the question."""
        if contract.read_only or self._all_granted or contract.name in self._always:
            return GRANTED
        if not self._person:
            return Permission(granted=False, reason=NOBODY)
        self._question = asyncio.get_running_loop().create_future()
        self._see(PersonAsked())
        try:
            answer = await self._question
        finally:
            self._question = None
            self._see(PersonAnswered())
        if answer.always:
            self._always.add(contract.name)
        return Permission(granted=answer.granted, reason=answer.reason)

    def take(self, line: str) -> bool:
        """Whether a question is open and this line answers it."""
        answer = answered(line)
        if answer is None or self._question is None or self._question.done():
            return False
        self._question.set_result(answer)
        return True
