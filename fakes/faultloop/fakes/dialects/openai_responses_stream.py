"""A streamed response: each delta as the events that the API sends for it.

Picture a list of items that open and close. A message opens with its first text and closes when all
of its text has come; a call opens when it begins and closes when all of its arguments have come, so
that a stream which breaks after that has delivered it. Only the last item of a reply that was cut
waits for the finish, and closes incomplete. The last event holds what was closed.

What a fault has reordered, dropped or repeated is spelt all the same, as a provider with that
defect would send it: an item without a beginning has no name, one without an end is never done, a
delta that comes late comes after its item's end.
"""

from __future__ import annotations

from typing import Any, assert_never

import msgspec

from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.dialects.openai_responses_garbled import garbled
from faultloop.fakes.dialects.openai_responses_growing import (
    CallOnItsWay,
    DeltaAround,
    MessageOnItsWay,
    told_late,
)
from faultloop.fakes.dialects.openai_responses_objects import (
    ENDINGS,
    FAILED,
    UNFINISHED,
    CallItem,
    Ending,
    call_item,
    has_message,
    is_cut,
    message_id,
    message_item,
    response,
    usage,
)
from faultloop.fakes.dialects.openai_responses_reasoning import Reasoning
from faultloop.fakes.dialects.openai_responses_tools import Place
from faultloop.fakes.reply import (
    CallArguments,
    CallBegan,
    Delta,
    EndMark,
    Finished,
    Garbled,
    Noise,
    NoiseForm,
    Opened,
    ProviderError,
    Reply,
    Text,
    Thought,
    Unclosed,
    Usage,
)

Object = dict[str, Any]

_encode = msgspec.json.Encoder().encode


_AFTER_NUMBER = ("summary_index", "text")
"""Fields of events that come after the number in the order of the alphabet."""


class Events:
    """A reply as server-sent events."""

    def __init__(self, reply: Reply, frame: Frame, *, id_: str) -> None:
        self._reply = reply
        self._frame = frame
        self._id = id_
        self._cut = is_cut(reply.finish)
        self._sequence = 0
        self._unclosed = False
        self._reasoning: Reasoning | None = None
        self._message: MessageOnItsWay | None = None
        self._calls: dict[int, CallOnItsWay] = {}
        """By the deltas' index."""
        self._order: list[Reasoning | MessageOnItsWay | CallOnItsWay] = []
        self._calls_from: int | None = None
        """The output index of the call with index 0, once a call has come."""
        self._left = list(reply.calls)
        """Calls of the reply that have not begun."""
        self._ending: Ending | None = None
        self._usage: Object | None = None

    def event(self, delta: Delta) -> bytes:
        """The events of one delta; none where it only counts for the last event."""
        if isinstance(delta, Text):
            return self._told(delta.text)
        match delta:
            case CallArguments(index=index, text=text):
                return self._argued(index, text)
            case CallBegan(index=index, id=id_, tool=tool):
                return self._began(index, id_, tool)
            case Thought(text=text):
                return self._thought(text)
            case Opened():
                return self._opened()
            case Finished(finish=finish):
                self._ending = ENDINGS[finish]
                return self._close_all()
            case Usage(
                prompt_tokens=prompt, completion_tokens=completion, reasoning_tokens=reasoning
            ):
                self._usage = usage(prompt, completion, reasoning)
                return b""
            case EndMark():
                return self._last()
            case ProviderError(message=message):
                return self._failed(message)
            case Noise(form=form):
                return self._noise(form)
            case Garbled(lost=lost):
                return garbled(self.event(lost), lost)
            case Unclosed():
                self._unclosed = True
                return b""
            case _:
                assert_never(delta)

    def _noise(self, form: NoiseForm) -> bytes:
        match form:
            case "comment":
                return b": keep-alive\n\n"
            case "unknown_event":
                return self._spell("response.gateway_metrics", queue_ms=3)
            case "null_delta":
                id_ = message_id(self._reply.id)
                where: Object = {"item_id": id_, "logprobs": [], "output_index": 0}
                name = "response.output_text.delta"
                return self._spell(name, content_index=0, delta=None, **where)
            case "no_choices":
                return self._spell("keepalive")

    # --- reasoning --------------------------------------------------------------------------

    def _thought(self, text: str) -> bytes:
        spelt = b""
        if self._reasoning is None:
            item = self._reasoning = Reasoning(self._reply, self._frame)
            self._order.append(item)
            spelt = self._item("added", item.output_index, item.begun())
            if item.is_told:
                spelt += self._summary("part.added", item, part=item.part())
        item = self._reasoning
        if item.is_told:
            spelt += self._summary("text.delta", item, delta=text)
        item.text += text
        return spelt + (self._close_reasoning(item) if item.text == item.expected else b"")

    def _close_reasoning(self, item: Reasoning) -> bytes:
        item.status = "completed"
        if self._unclosed:
            return b""
        done = b""
        if item.is_told:
            done = self._summary("text.done", item, text=item.text)
            done += self._summary("part.done", item, part=item.part())
        return done + self._item("done", item.output_index, item.object())

    def _summary(self, what: str, item: Reasoning, **fields: Any) -> bytes:
        where = {"item_id": item.id, "output_index": item.output_index, "summary_index": 0}
        told = {**where, **fields}
        ordered = {name: told[name] for name in sorted(told)}
        return self._spell(f"response.reasoning_summary_{what}", **ordered)

    # --- the message ------------------------------------------------------------------------

    def _told(self, text: str) -> bytes:
        opening = b""
        if self._message is None:
            opening = self._open_message()
        message = self._message
        assert message is not None
        spelt = opening + self._spell_delta(message.delta, text)
        if message.status != "in_progress":
            return spelt
        message.text += text
        waits = self._cut and not self._reply.calls
        if message.text == self._reply.text and not waits:
            spelt += self._close_message(message, "completed")
        return spelt

    def _open_message(self) -> bytes:
        at = self._first if has_message(self._reply) else self._next_output_index()
        is_refusal = self._reply.is_refusal
        message = MessageOnItsWay(message_id(self._reply.id), at, is_refusal=is_refusal)
        self._message = message
        self._order.append(message)
        added = message_item(message.id, None, "in_progress")
        return self._item("added", message.output_index, added) + self._part("added", message)

    def _close_message(self, message: MessageOnItsWay, status: str) -> bytes:
        message.status = status
        if self._unclosed:
            return b""
        done = self._spell(
            f"{message.event}.done",
            content_index=0,
            item_id=message.id,
            **message.more,
            output_index=message.output_index,
            **{"refusal" if message.is_refusal else "text": message.text},
        )
        part = self._part("done", message)
        return done + part + self._item("done", message.output_index, message.object())

    def _part(self, what: str, message: MessageOnItsWay) -> bytes:
        return self._spell(
            f"response.content_part.{what}",
            content_index=0,
            item_id=message.id,
            output_index=message.output_index,
            part=message.part(),
        )

    # --- calls ------------------------------------------------------------------------------

    def _began(self, index: int, id_: str | None, tool: str | None) -> bytes:
        spelt = b""
        if self._message is not None and self._message.status == "in_progress":
            spelt = self._close_message(self._message, "completed")
        after = self._reply.id if self._reply.thought else ""
        stand_in = f"{self._reply.id}{index}"
        item = call_item(self._frame, id_, tool, stand_in=stand_in, after=after)
        call = self._calls.get(index)
        if call is None or (id_ is not None and call.item.call_id not in ("", None, id_)):
            call = self._open_call(index, item)
        elif not call.item.call_id or not call.item.has_name:
            # It began late. Its events have an item's id already, and keep it.
            call.be(told_late(call.item, item))
        self._recognise(call)
        added = call.item.spelt("", "in_progress")
        spelt += self._item("added", call.output_index, added)
        return spelt + self._close_if_whole(call)

    def _open_call(self, index: int, item: CallItem) -> CallOnItsWay:
        if self._calls_from is None:
            items_before = self._first + has_message(self._reply)
            self._calls_from = max(self._next_output_index(), items_before)
        call = CallOnItsWay(item, self._calls_from + index)
        self._calls[index] = call
        self._order.append(call)
        return call

    def _recognise(self, call: CallOnItsWay) -> None:
        """Find out which call of the reply it is."""
        meant = next((meant for meant in self._left if meant.id == call.item.call_id), None)
        if meant is not None and call.expected is None:
            self._left.remove(meant)
            call.expected = meant.arguments
            call.is_last = meant is self._reply.calls[-1]

    def _argued(self, index: int, text: str) -> bytes:
        call = self._calls.get(index)
        if call is None:
            nameless = CallItem(f"fc_{self._reply.id}{index}", "", Place("function", ""))
            call = self._open_call(index, nameless)
        spelt = self._spell_delta(call.delta, text)
        if call.status != "in_progress":
            return spelt
        call.arguments += text
        return spelt + self._close_if_whole(call)

    def _close_if_whole(self, call: CallOnItsWay) -> bytes:
        waits = self._cut and call.is_last
        if waits or not call.is_whole or call.status != "in_progress":
            return b""
        return self._close_call(call, "completed")

    def _close_call(self, call: CallOnItsWay, status: str) -> bytes:
        call.status = status
        if self._unclosed:
            return b""
        done = self._spell(
            f"{call.item.event}.done",
            **{call.item.field: call.arguments},
            item_id=call.item.id,
            output_index=call.output_index,
        )
        return done + self._item("done", call.output_index, call.object())

    # --- the whole --------------------------------------------------------------------------

    def _close_all(self) -> bytes:
        """Close what is open; of a reply that was cut, the last item is incomplete."""
        spelt = b""
        is_empty = not (self._reply.text or self._reply.calls)
        is_untold = self._message is None and not self._calls
        if is_empty and is_untold and has_message(self._reply):
            spelt = self._open_message()
        incomplete = self._ending is not None and self._ending.status == "incomplete"
        for item in tuple(self._order):
            if item.status != "in_progress":
                continue
            status = "incomplete" if incomplete and item is self._order[-1] else "completed"
            if isinstance(item, Reasoning):
                spelt += self._close_reasoning(item)
            elif isinstance(item, MessageOnItsWay):
                spelt += self._close_message(item, status)
            else:
                spelt += self._close_call(item, status)
        return spelt

    def _last(self) -> bytes:
        ending = self._ending or UNFINISHED
        items = sorted(self._order, key=lambda item: item.output_index)
        output = [item.object() for item in items]
        whole = response(self._id, self._frame, ending, output, self._usage)
        return self._spell(ending.event, response=whole)

    def _failed(self, message: str) -> bytes:
        """What is wrong, and the end of the response by it; its items are not told again."""
        said = self._spell("error", code="server_error", message=message, param=None)
        error: Object = {"code": "server_error", "message": message}
        whole = response(self._id, self._frame, FAILED, [], None, error)
        return said + self._spell(FAILED.event, response=whole)

    def _opened(self) -> bytes:
        # Both events have the same response, which is long: it is spelt once.
        spelt = msgspec.Raw(_encode(response(self._id, self._frame, None, [], None)))
        created = self._spell("response.created", response=spelt)
        return created + self._spell("response.in_progress", response=spelt)

    @property
    def _first(self) -> int:
        """The output index of what comes after reasoning, if there is any."""
        return int(bool(self._reply.thought))

    def _next_output_index(self) -> int:
        return max((item.output_index + 1 for item in self._order), default=0)

    def _item(self, what: str, output_index: int, item: Object) -> bytes:
        return self._spell(f"response.output_item.{what}", item=item, output_index=output_index)

    def _spell_delta(self, delta: DeltaAround, text: str) -> bytes:
        number, self._sequence = self._sequence, self._sequence + 1
        return b"%b%b%b%d}\n\n" % (delta.before, _encode(text), delta.after, number)

    def _spell(self, name: str, **fields: Any) -> bytes:
        """One event. Its fields come in the order of the alphabet, as the API sends them."""
        number, self._sequence = self._sequence, self._sequence + 1
        after = {name: fields.pop(name) for name in _AFTER_NUMBER if name in fields}
        data = _encode({"type": name, **fields, "sequence_number": number, **after})
        return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
