"""A Gemini reply as a stream: server-sent events, or a JSON array that grows.

Each chunk is a whole response with what is new in it, and the token counts so far. A call is never
cut: it comes in one part, as soon as all of it is there. So a call that never comes to its end is
not seen at all, which is what a broken stream of Gemini's looks like. Nothing opens a stream and,
among events, nothing ends it: the last chunk has the finish reason.
"""

from __future__ import annotations

from typing import Any, assert_never

from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.dialects.gemini_json import compact, indented
from faultloop.fakes.dialects.gemini_parts import (
    arguments,
    broken_call,
    call_part,
    candidate,
    expressible,
    is_stopped,
    signature,
    signs_text,
    tells_thoughts,
    thought_part,
    usage,
)
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
from faultloop.fakes.script import Finish

CHARS_PER_TOKEN = 4
"""For the counts of chunks before the last, which are estimates."""

_TEXT_CHUNK = compact({"candidates": [candidate([{"text": ""}], None)]}).split('""')
"""What stands before and behind a piece of text."""


def _counts(prompt: int, completion: int) -> str:
    """Those of a chunk's token counts that grow."""
    return f'"candidatesTokenCount": {completion},"totalTokenCount": {prompt + completion}'


_NOISE: dict[NoiseForm, dict[str, Any]] = {
    "unknown_event": {"gatewayMetrics": {"queueMs": 3}},
    "null_delta": {"candidates": [{"content": None, "index": 0}]},
    "no_choices": {},
}


class _Pile:
    """What has come of one call."""

    def __init__(self, id_: str | None, tool: str | None) -> None:
        self.id = id_
        self.tool = tool
        self.text = ""
        self.is_said = False


class Chunks:
    """A reply as chunks. `array`: elements of a JSON array instead of events."""

    def __init__(self, reply: Reply, frame: Frame, *, array: bool) -> None:
        self._array = array
        self._prompt = reply.prompt_tokens
        self._completion = reply.completion_tokens - reply.reasoning_tokens
        self._thoughts = reply.reasoning_tokens
        self._tells_thoughts = tells_thoughts(frame)
        self._signs_text = signs_text(reply)
        self._around = {"modelVersion": frame.model, "responseId": reply.id}
        self._before, between = _TEXT_CHUNK
        before, after = compact(usage(self._prompt, 1)).split(_counts(self._prompt, 1))
        self._between = f'{between[:-1]},"usageMetadata": {before}'
        self._after = f"{after},{compact(self._around)[1:]}\r\n\r\n"
        self._lengths = {call.id: len(call.arguments) for call in reply.calls}
        self._signed: str | None = signature(call.id for call in expressible(reply))
        self._at: dict[int, _Pile] = {}
        self._piles: list[_Pile] = []
        self._chars = 0
        self._told = (-1, -1)
        """Token counts of the last chunk."""
        self._begun = False

    def event(self, delta: Delta) -> bytes:
        """The chunk of one delta, or nothing."""
        if isinstance(delta, Text):
            self._chars += len(delta.text)
            return self._text(delta.text)
        match delta:
            case CallArguments(index=index, text=text):
                pile = self._at.get(index) or self._pile(index, "", "")
                pile.text += text
                return self._whole_call(pile)
            case CallBegan(index=index, id=id_, tool=tool):
                known = self._at.get(index)
                if known is None or (id_ and known.id and known.id != id_):
                    return self._whole_call(self._pile(index, id_, tool))
                known.id = known.id or id_  # told again, or late
                known.tool = known.tool or tool
                return self._whole_call(known)
            case Finished(finish=finish):
                return self._finish(finish)
            case Thought(text=text):
                return self._thought(text)
            case Usage(
                prompt_tokens=prompt, completion_tokens=completion, reasoning_tokens=thoughts
            ):
                if self._told == (prompt, completion - thoughts):
                    return b""
                self._thoughts = thoughts
                return self._send({}, prompt, completion - thoughts)
            case Opened() | Unclosed():
                return b""
            case ProviderError(message=message):
                error = {"code": 503, "message": message, "status": "UNAVAILABLE"}
                return self._write({"error": error})
            case Noise(form=form):
                return self._noise(form)
            case Garbled():
                return self._garbled()
            case EndMark():
                if not self._array:
                    return b""
                return b"]\n" if self._begun else b"[]\n"
            case _:
                assert_never(delta)

    def _text(self, text: str) -> bytes:
        """The chunk of a piece of text: what is around it was spelt once."""
        tokens = self._tokens()
        if self._array or self._thoughts or not tokens:
            return self._chunk([{"text": text}])
        self._told = self._prompt, tokens
        counts = _counts(*self._told)
        chunk = self._before + compact(text) + self._between + counts + self._after
        return b"data: " + chunk.encode()

    def _thought(self, text: str) -> bytes:
        """The chunk of a piece of thought; the counts know of thoughts before anything is said."""
        if not self._tells_thoughts:
            return b""
        return self._send({"candidates": [candidate([thought_part(text)], None)]}, self._prompt, 0)

    def _pile(self, index: int, id_: str | None, tool: str | None) -> _Pile:
        pile = self._at[index] = _Pile(id_, tool)
        self._piles.append(pile)
        return pile

    def _whole_call(self, pile: _Pile) -> bytes:
        """A call's part, once its arguments are as long as they are meant to be, and those of the
        calls that began before it: parts bear no indexes, so their order is all that they have."""
        if pile.is_said or not self._is_whole(pile):
            return b""
        said = b""
        for one in self._piles:
            if self._is_whole(one):
                said += b"" if one.is_said else self._call(one)
            elif one.id in self._lengths:
                break
        return said

    def _is_whole(self, pile: _Pile) -> bool:
        return len(pile.text) == self._lengths.get(pile.id or "")

    def _call(self, pile: _Pile) -> bytes:
        args = arguments(pile.text)
        if args is None:
            return b""
        pile.is_said = True
        self._chars += len(pile.tool or "") + len(pile.text)
        part = call_part(pile.id, pile.tool, args, self._signed)
        self._signed = None
        return self._chunk([part])

    def _finish(self, finish: Finish) -> bytes:
        late = b"".join(self._call(pile) for pile in self._piles if self._is_late(pile))
        left = next((pile for pile in self._piles if not pile.is_said), None)
        broken = None if left is None else broken_call(left.tool, left.text)
        said: list[dict[str, Any]] = [] if is_stopped(finish, broken) else [{"text": ""}]
        if said and self._signs_text:
            said[0]["thoughtSignature"] = signature(())
        end = candidate(said, finish, broken)
        return late + self._send({"candidates": [end]}, self._prompt, self._completion)

    def _is_late(self, pile: _Pile) -> bool:
        """Whether it is said at the end: it waited for one before it that never became whole, or it
        is none of the reply's own, so that there is no length to wait for."""
        is_strange = bool(pile.tool) and pile.id not in self._lengths
        return not pile.is_said and (is_strange or self._is_whole(pile))

    def _chunk(self, said: list[dict[str, Any]]) -> bytes:
        return self._send({"candidates": [candidate(said, None)]}, self._prompt, self._tokens())

    def _tokens(self) -> int:
        return min(self._completion, self._chars // CHARS_PER_TOKEN + 1)

    def _send(self, what: dict[str, Any], prompt: int, completion: int) -> bytes:
        self._told = prompt, completion
        counts = usage(prompt, completion, self._thoughts)
        return self._write({**what, "usageMetadata": counts, **self._around})

    def _noise(self, form: NoiseForm) -> bytes:
        """What comes nearest: a JSON array has room for spaces, not for comments."""
        if form == "comment":
            return b"\n" if self._array else b": keep-alive\r\n\r\n"
        told, tokens = self._told, self._tokens()
        spelt = self._send(_NOISE[form], self._prompt, tokens)
        self._told = told
        return spelt

    def _garbled(self) -> bytes:
        half = b'{"candidates": [{"content": {"parts": [{"text": "'
        if not self._array:
            return b"data: " + half + b"\r\n\r\n"
        before = b",\r\n" if self._begun else b"["
        self._begun = True
        return before + half + b"\n"

    def _write(self, response: dict[str, Any]) -> bytes:
        if not self._array:
            return f"data: {compact(response)}\r\n\r\n".encode()
        before = b",\r\n" if self._begun else b"["
        self._begun = True
        return before + indented(response) + b"\n"
