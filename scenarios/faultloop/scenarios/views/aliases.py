"""Aliases: a subject may rewrite call ids; here its conversations get the delivered ids back.

Gateways and session stores number calls anew, consistently on call and result, and that is no
fault: what a request shows is then found by content. An assistant message whose ids were never
delivered is taken for the reply that bears its text, or whose calls are its calls: the same tools
and arguments in the same order, where a text that was no object says nothing, since a subject must
mend it before it may be said again. Aligned from the end, in order. What fits no reply is a
*stranger*: whatever is missing then may be hidden behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from faultloop.fakes.conversation import Message, SaidCall
from faultloop.scenarios.argument_text import Malformed, canonical, meanings, parse
from faultloop.scenarios.views.delivered import DeliveredCall


class Batch(NamedTuple):
    """What one reply delivered."""

    text: str
    calls: tuple[DeliveredCall, ...]

    @property
    def cut(self) -> bool:
        """Whether nothing of it may run, so that a loop rightly drops it."""
        return all(call.cut for call in self.calls)


class Restored(NamedTuple):
    """A conversation under the ids that were delivered."""

    messages: tuple[Message, ...]
    aliases: Mapping[str, str]
    """The subject's id of a call to the delivered one."""
    strangers: frozenset[str]
    """Ids of calls that come from no reply that is known."""


def restore(
    messages: tuple[Message, ...], batches: Iterable[Batch], known: frozenset[str]
) -> Restored:
    """The messages with the ids of the batches before them; `known` are all delivered ids."""
    said = {call.id for message in messages for call in message.calls}
    unknown = said - known
    if not unknown:
        return Restored(messages, {}, frozenset())
    known_batches = tuple(batches)
    found = _aligned(messages, known_batches, said, unknown)
    for index, message in enumerate(messages):
        if pairs := _beside_known(message, known_batches, unknown):
            found[index] = pairs
    aliases: dict[str, str] = {}
    restored = []
    for index, message in enumerate(messages):
        aliases.update(found.get(index, {}))
        restored.append(_renamed(message, aliases) if aliases else message)
    return Restored(tuple(restored), aliases, frozenset(unknown - aliases.keys()))


def _aligned(
    messages: Sequence[Message], batches: Iterable[Batch], said: set[str], unknown: set[str]
) -> dict[int, dict[str, str]]:
    """For each message that is a known reply: its own ids to the delivered ones."""
    left = [one for one in batches if one.calls and not any(call.id in said for call in one.calls)]
    found: dict[int, dict[str, str]] = {}
    for index in reversed(range(len(messages))):
        calls = messages[index].calls
        if not calls or not all(call.id in unknown for call in calls):
            continue
        # The latest that fits; of equal ones rather one that a loop has reason to keep.
        for at in sorted(range(len(left)), key=lambda at: (left[at].cut, -at)):
            pairs = _pairs(messages[index], left[at])
            if pairs:
                found[index] = pairs
                del left[at:]
                break
    return found


def _beside_known(message: Message, batches: Sequence[Batch], unknown: set[str]) -> dict[str, str]:
    """Ids that a subject made up for some calls of a reply, beside the reply's own for others: it
    had none of its own there, or that of another call."""
    ids = [call.id for call in message.calls]
    if not unknown.intersection(ids) or unknown.issuperset(ids):
        return {}
    for batch in batches:
        delivered = [call.id for call in batch.calls]
        if len(delivered) == len(ids) and all(
            own in (its, *unknown) for own, its in zip(ids, delivered, strict=True)
        ):
            pairs = zip(ids, delivered, strict=True)
            return {own: its for own, its in pairs if own in unknown}
    return {}


def _pairs(message: Message, batch: Batch) -> dict[str, str]:
    """The message's ids to the batch's, if the one is the other; empty if it is not."""
    same_text = bool(batch.text.strip()) and batch.text.strip() in message.text
    if same_text and len(message.calls) == len(batch.calls):
        return {said.id: call.id for said, call in zip(message.calls, batch.calls, strict=True)}
    pairs: dict[str, str] = {}
    rest = iter(batch.calls)
    for said in message.calls:
        call = next((call for call in rest if _same(said, call)), None)
        if call is None:
            return {}
        pairs[said.id] = call.id
    return pairs


def _same(said: SaidCall, call: DeliveredCall) -> bool:
    if said.name != call.tool and call.offered:
        return False
    if not isinstance(parse(call.arguments), dict):
        return True
    given = parse(said.arguments)
    return not isinstance(given, Malformed) and canonical(given) in meanings(call.arguments)


def _renamed(message: Message, aliases: Mapping[str, str]) -> Message:
    delivered = aliases.get(message.result_of or "")
    if delivered is not None:
        return msgspec.structs.replace(message, result_of=delivered)
    if any(call.id in aliases for call in message.calls):
        calls = tuple(
            msgspec.structs.replace(call, id=aliases.get(call.id, call.id))
            for call in message.calls
        )
        return msgspec.structs.replace(message, calls=calls)
    return message
