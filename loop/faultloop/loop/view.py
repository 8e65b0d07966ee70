"""The view: the message list of the next request, from the history (SPEC D6).

Providers refuse a request in which a call lacks its result, or a result its call, and they refuse
it for ever after; so the list is repaired each time it is made, and the journal never is. In the
picture each assistant message with calls is followed at once by exactly one result for each, in the
order of the calls (by policy, in that of the results, SPEC S2); whatever else stood among them
comes after. A history that this loop wrote
itself needs no repair: this is the second line of defence, for journals that others wrote.
"""

from __future__ import annotations

from collections.abc import Sequence

from faultloop.loop.message import AssistantMessage, Call, Message, ResultMessage
from faultloop.loop.policy import ResultOrder
from faultloop.loop.state import State
from faultloop.loop.wording import MISSING


def view(state: State, order: ResultOrder = "model") -> tuple[Message, ...]:
    """What the next request says was said so far."""
    return repaired(state.history, order)


def repaired(history: Sequence[Message], order: ResultOrder = "model") -> tuple[Message, ...]:
    """The same messages, with every call paired with one result (SPEC D6)."""
    messages: list[Message] = []
    position = 0
    while position < len(history):
        message = history[position]
        position += 1
        if isinstance(message, ResultMessage):
            continue  # an orphan: no assistant message before it asks for it
        if not isinstance(message, AssistantMessage):
            messages.append(message)
            continue
        end = _next_reply(history, position)
        messages.extend(_paired(message, history[position:end], order))
        position = end
    return tuple(messages)


def _next_reply(history: Sequence[Message], position: int) -> int:
    while position < len(history) and not isinstance(history[position], AssistantMessage):
        position += 1
    return position


def _paired(reply: AssistantMessage, after: Sequence[Message], order: ResultOrder) -> list[Message]:
    """The reply, one result for each of its calls, and then what else was said."""
    results: dict[str, ResultMessage] = {}
    others: list[Message] = []
    for message in after:
        if isinstance(message, ResultMessage):
            results.setdefault(message.call_id, message)
        else:
            others.append(message)
    if not reply.calls:
        return [reply, *others] if reply.text else others  # providers refuse an empty reply
    calls = list(reply.calls)
    if order == "completion":
        ended = list(results)
        calls.sort(key=lambda call: ended.index(call.id) if call.id in results else len(ended))
    return [reply, *(results.get(call.id) or _missing(call) for call in calls), *others]


def _missing(call: Call) -> ResultMessage:
    return ResultMessage(call_id=call.id, content=MISSING, ok=False)
