"""A request to a model, spelt in OpenAI's Chat Completions (SPEC L1, X3).

Only spelling: the history has been repaired before (SPEC D6), and nothing is left out or moved.
Two things a provider would refuse for ever are spelt so that it does not: arguments that are no
JSON object, and tool names that no tool could have.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any, Literal, assert_never

import msgspec

from faultloop.loop.arguments import replayable
from faultloop.loop.contract import Strict
from faultloop.loop.contract.rendering import StrictImpossible, openai_chat
from faultloop.loop.message import AssistantMessage, Message, Notice, ResultMessage, UserMessage
from faultloop.loop.providers.port import ModelRequest, ProviderFailure

NoticeRole = Literal["system", "developer", "user"]

_log = logging.getLogger(__name__)

NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
NAME_CHARS_MAX = 64
"""OpenAI's pattern for function names is `^[a-zA-Z0-9_-]{1,64}$`, also in the history."""


class Speller:
    """Spells the requests of one session, each of which says again all that the last one said.

    What it has spelt before (the same value, not merely an equal one) is not spelt again: else a
    turn's cost would grow with the square of its steps.
    """

    def __init__(self, *, notice_role: NoticeRole) -> None:
        self._notice_role: NoticeRole = notice_role
        self._said: list[Message] = []
        self._messages: list[msgspec.Raw] = []
        """Those, spelt."""
        self._faces: tuple[dict[str, Any], ...] = ()
        self._strict: Strict | None = None
        self._tools = msgspec.Raw()

    def body(self, request: ModelRequest) -> bytes:
        """The JSON body of this request. Raises ProviderFailure for one that cannot be."""
        system = [{"role": "system", "content": request.system}] if request.system else []
        spelt: dict[str, Any] = {"model": request.model}
        spelt["messages"] = [*system, *self._spelt(request.messages)]
        if request.tools:
            spelt["tools"] = self._offered(request.tools, request.strict)
        if request.output_tokens_max is not None:
            spelt["max_completion_tokens"] = request.output_tokens_max
        if request.stream:
            spelt["stream"] = True
            spelt["stream_options"] = {"include_usage": True}
        return msgspec.json.encode(spelt)

    def _spelt(self, messages: Sequence[Message]) -> list[msgspec.Raw]:
        known = 0
        for said, known_one in zip(messages, self._said, strict=False):
            if said is not known_one:
                break
            known += 1
        del self._said[known:], self._messages[known:]
        for said in messages[known:]:
            self._messages.append(_raw(message(said, notice_role=self._notice_role)))
            self._said.append(said)
        return self._messages

    def _offered(self, faces: tuple[dict[str, Any], ...], strict: Strict | None) -> msgspec.Raw:
        if faces is not self._faces or strict != self._strict:
            self._tools = _raw([tool(face, strict) for face in faces])
            self._faces, self._strict = faces, strict
        return self._tools


def _raw(spelt: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(spelt))


def message(said: Message, *, notice_role: NoticeRole) -> dict[str, Any]:
    """One message. A notice comes under the runtime's role, since it is not the user's word."""
    match said:
        case UserMessage():
            return {"role": "user", "content": said.text}
        case AssistantMessage():
            return _assistant(said)
        case ResultMessage():
            return {"role": "tool", "tool_call_id": said.call_id, "content": said.content}
        case Notice():
            return {"role": notice_role, "content": said.text}
        case _:
            assert_never(said)


def _assistant(said: AssistantMessage) -> dict[str, Any]:
    # Without calls the content must be a string, with calls an empty one is spelt null.
    if not said.calls:
        return {"role": "assistant", "content": said.text}
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": _name(call.name), "arguments": replayable(call.arguments)},
        }
        for call in said.calls
    ]
    return {"role": "assistant", "content": said.text or None, "tool_calls": calls}


def tool(face: dict[str, Any], strict: Strict | None = None) -> dict[str, Any]:
    """A contract's model face as an entry of `tools`; strict where asked for and possible (C11)."""
    try:
        rendered = openai_chat.render(face, strict)
    except StrictImpossible as error:
        raise ProviderFailure("rejected", str(error)) from error
    if not rendered.strict:
        for note in rendered.notes:  # once for each set of tools, not for each request
            _log.info("%s", note)
    return rendered.tool


def _name(name: str) -> str:
    return NOT_IN_NAMES.sub("_", name)[:NAME_CHARS_MAX] or "_"
