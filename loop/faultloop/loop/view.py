"""The view: the message list of the next request, from the history (SPEC D6).

Providers refuse a request in which a call lacks its result, or a result its call, and they refuse
it for ever after; so the list is repaired each time it is made, and the journal never is. In the
picture each assistant message with calls is followed at once by exactly one result for each, in the
order of the calls (by policy, in that of the results, SPEC S2); whatever else stood among them
comes after. A history that this loop wrote
itself needs no repair: this is the second line of defence, for journals that others wrote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    reply: AssistantMessage | None = None
    results: dict[str, ResultMessage] = {}
    others: list[Message] = []
    for message in history:
        if isinstance(message, AssistantMessage):
            messages += _paired(reply, results, order)
            messages += others
            reply, results, others = message, {}, []
        elif isinstance(message, ResultMessage):
            results.setdefault(message.call_id, message)
        else:
            others.append(message)
    return (*messages, *_paired(reply, results, order), *others)


def _paired(
    reply: AssistantMessage | None, results: Mapping[str, ResultMessage], order: ResultOrder
) -> list[Message]:
    """A reply, and one result for each of its calls; results that no reply asks for are left."""
    if reply is None:
        return []
    if not reply.calls:
        return [reply] if reply.text else []  # providers refuse an empty reply
    calls: Sequence[Call] = reply.calls
    if order == "completion":
        ended = list(results)
        last = len(ended)
        calls = sorted(calls, key=lambda one: ended.index(one.id) if one.id in results else last)
    return [reply, *[results.get(call.id) or _missing(call) for call in calls]]


def _missing(call: Call) -> ResultMessage:
    return ResultMessage(call_id=call.id, content=MISSING, ok=False)
