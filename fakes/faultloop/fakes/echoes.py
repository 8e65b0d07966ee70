"""Echoes: a script's place by what comes back of its words, where its texts bear no marks.

A hosted script is read by programs and tests that want its words as they are. Calls are followed by
their ids as ever; texts are recognised by being the same. An assistant message that is nobody's
echo moves the script on by one, for clients reword what they keep; those that the very first
request brought with it (examples, a conversation begun elsewhere) do not count. No request is ever
counted: a retry is answered as the request was.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Literal, NamedTuple

from faultloop.fakes.conversation import Message
from faultloop.fakes.reply import Reply

IDS_MAX = 8
"""So often a step that is said again has call ids of its own; from then on its last ones, so that
a script that is asked for the same thing for days remembers no more of it."""


def over(steps: int) -> tuple[str, str]:
    """The rule and the sentence that tell a request past the script's end."""
    plural = "s" if steps != 1 else ""
    return "script_over", (
        f"The script is over: this request comes after the last of its {steps} step{plural}. "
        "Nothing is scripted for it."
    )


class Due(NamedTuple):
    """The step that is due, from its beginning."""

    step: int
    """From 0."""
    cursor: Literal["mark", "first", "count"]


class Echoes:
    """What one hosted conversation has said so far."""

    def __init__(self) -> None:
        self._by_call: dict[str, int] = {}
        self._by_text: dict[str, list[int]] = {}
        """Steps that said this text, in their order."""
        self._before: int | None = None
        """Assistant messages that the first request brought with it."""

    def met(self, messages: tuple[Message, ...]) -> None:
        """A request arrived that is going to be answered."""
        if self._before is None:
            self._before = len(_assistants(messages))

    def said(self, index: int, reply: Reply) -> None:
        """A step was said; `index` is below 0 for what is beside the script."""
        if index < 0:
            return
        self._by_call.update((call.id, index) for call in reply.calls)
        if text := reply.text.strip():
            steps = self._by_text.setdefault(text, [])
            at = bisect_left(steps, index)
            if steps[at : at + 1] != [index]:
                steps.insert(at, index)

    def due(self, messages: tuple[Message, ...], marked: tuple[int, int] | None) -> Due | None:
        """Where a request stands. `marked` is the furthest step that the ids of calls, wherever
        they occur in it, tell of; None: there it stands indeed."""
        last, strays = -1, -(self._before or 0)
        for message in _assistants(messages):
            step = self._echoed(message, last)
            if step is None:
                strays += 1
            else:
                last, strays = step, 0
        strays = max(strays, 0)
        if marked is not None:
            if marked[0] >= last and not strays:
                return None
            last = max(last, marked[0])
        if strays:
            return Due(last + 1 + strays, "count")
        return Due(last + 1, "first" if last < 0 else "mark")

    def _echoed(self, message: Message, last: int) -> int | None:
        """The step that a message repeats: by its calls, else the next one of this text."""
        for call in message.calls:
            if (step := self._by_call.get(call.id)) is not None:
                return max(step, last)
        later = (step for step in self._by_text.get(message.text.strip(), ()) if step > last)
        return next(later, None)


def _assistants(messages: tuple[Message, ...]) -> list[Message]:
    """What the assistant said, without empty messages and without words put into its mouth."""
    said = messages[:-1] if messages and messages[-1].role == "assistant" else messages
    return [one for one in said if one.role == "assistant" and (one.calls or one.text.strip())]
