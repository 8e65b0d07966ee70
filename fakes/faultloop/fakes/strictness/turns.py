"""Conversations as the APIs see them that think in turns: messages of one wire message together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from faultloop.fakes.conversation import Conversation, Message, SaidCall


class Turn(NamedTuple):
    """One message of the wire."""

    at: int
    """Its index there."""
    messages: tuple[Message, ...]

    @property
    def is_models(self) -> bool:
        """The model said it."""
        return self.messages[0].role == "assistant"

    @property
    def calls(self) -> list[SaidCall]:
        """The calls that were made in it."""
        return [call for message in self.messages for call in message.calls]

    @property
    def results(self) -> list[str]:
        """Ids of the calls that are answered in it."""
        return [message.result_of or "" for message in self.messages if message.role == "tool"]

    @property
    def late_results(self) -> list[str]:
        """Those of them that something stands before."""
        answered = self.results
        for count, message in enumerate(self.messages):
            if message.role != "tool":
                return answered[count:]
        return []


def turns(conversation: Conversation) -> list[Turn]:
    """The turns, in their order. The system's words are none."""
    messages, wire = conversation.messages, conversation.wire or range(len(conversation.messages))
    found: list[Turn] = []
    for message, at in zip(messages, wire, strict=True):
        if message.role == "system":
            continue
        if found and found[-1].at == at:
            found[-1] = Turn(at, (*found[-1].messages, message))
        else:
            found.append(Turn(at, (message,)))
    return found


def joined_turns(conversation: Conversation) -> list[Turn]:
    """The same where what the model said in a row is one turn, as Gemini has it: its own SDKs send
    each chunk of a stream as a message of its own (google-genai 3.6, `Chat.send_message_stream`).
    Not so with results (archestra-ai/archestra #7585, tried on the API)."""
    found: list[Turn] = []
    for turn in turns(conversation):
        if found and found[-1].is_models and turn.is_models:
            found[-1] = Turn(found[-1].at, (*found[-1].messages, *turn.messages))
        else:
            found.append(turn)
    return found


def block(conversation: Conversation, at: int, field: str, id_: str, number: int = 0) -> int:
    """Where in the content of wire message `at` the block is whose `field` is `id_`: the last but
    `number` from the first on. 0 where the request's text does not tell."""
    places = list(_blocks(conversation.raw, at, field, id_))
    return places[min(number, len(places) - 1)] if places else 0


def last_blocks(conversation: Conversation) -> list[object]:
    """The types of the blocks in the last message of the wire."""
    return [part.get("type") for part in _content(conversation.raw, -1)]


def _blocks(raw: str, at: int, field: str, id_: str) -> Iterator[int]:
    for place, part in enumerate(_content(raw, at)):
        if part.get(field) == id_:
            yield place


def _content(raw: str, at: int) -> list[dict[str, object]]:
    """The blocks of a message; none where the request's text does not tell. What is no block is
    one without anything."""
    try:
        content = json.loads(raw)["messages"][at]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return []
    if not isinstance(content, list):
        return []
    return [part if isinstance(part, dict) else {} for part in content]
