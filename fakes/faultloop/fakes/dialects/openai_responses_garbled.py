"""An event of a streamed response that is cut on its way.

Nothing else of the stream is touched: the events that end its item, and the last one, hold the
whole of it, for the provider never knew. What is cut is the event that says the delta itself, not
those which open or close an item around it.
"""

from __future__ import annotations

from faultloop.fakes.reply import CallArguments, CallBegan, Delta, Text, Thought

_OWN: dict[type[Delta], bytes] = {
    Text: b".delta",
    Thought: b".delta",
    CallArguments: b".delta",
    CallBegan: b".output_item.added",
}
"""How the name of the event ends that says a delta; of others it is the first of their events."""

_END = b"\n\n"


def garbled(spelt: bytes, lost: Delta) -> bytes:
    """The events of a delta with its own one cut behind its type; nothing where there is none."""
    events = spelt.split(_END)[:-1]
    own = _OWN.get(type(lost), b"")
    at = next((n for n, one in enumerate(events) if one.partition(b"\n")[0].endswith(own)), 0)
    return b"".join((_cut(event) if n == at else event) + _END for n, event in enumerate(events))


def _cut(event: bytes) -> bytes:
    kept, quote, _ = event.partition(b'",')
    return kept + quote
