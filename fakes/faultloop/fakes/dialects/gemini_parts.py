"""A Gemini candidate: parts, finish reasons, token counts, signatures.

What of a reply Gemini cannot say is decided here, for whole and streamed replies alike. A call's
arguments are a protobuf Struct: text that is no JSON object has no form at all. Gemini then says
`MALFORMED_FUNCTION_CALL` in place of the call; where the reply was cut, it says `MAX_TOKENS` and
drops what is incomplete.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.dialects.gemini_proto import decoded
from faultloop.fakes.reply import Reply, ReplyCall
from faultloop.fakes.script import Finish

Object = dict[str, Any]

FINISHES: dict[Finish, str] = {
    "stop": "STOP",
    "tool_calls": "STOP",
    "length": "MAX_TOKENS",
    "content_filter": "SAFETY",
}
"""Gemini ends a reply with calls like any other."""

MALFORMED = "MALFORMED_FUNCTION_CALL"

SAFETY_RATINGS = [
    {"category": "HARM_CATEGORY_HATE_SPEECH", "probability": "NEGLIGIBLE"},
    {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": True},
    {"category": "HARM_CATEGORY_HARASSMENT", "probability": "NEGLIGIBLE"},
    {"category": "HARM_CATEGORY_SEXUALLY_EXPLICIT", "probability": "NEGLIGIBLE"},
]
"""What stands beside the finish reason SAFETY, in the API's order (CherryHQ/cherry-studio #664)."""

SERVICE_TIER = "standard"

_SEAL = b"\x12\x09faultloop"
"""How our signatures begin. To a client they are as opaque as Gemini's own."""

_object = msgspec.json.Decoder(dict[str, Any]).decode


def arguments(text: str) -> Object | None:
    """Argument text as a Struct; None where it is none. No text at all is no arguments."""
    if not text.strip():
        return {}
    try:
        return _object(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None


def signature(ids: Iterable[str]) -> str:
    """An opaque text that tells the ids of a reply's calls to whoever knows how to read it."""
    told = _SEAL + "\n".join(ids).encode(errors="replace")
    return base64.b64encode(told).decode()


@lru_cache(maxsize=1024)  # signatures come again with every request that follows
def signed_ids(text: str | None) -> tuple[str, ...]:
    """The ids in a signature of ours, in either base64 alphabet; none in any other."""
    told = decoded(text or "")
    if not told.startswith(_SEAL):
        return ()
    return tuple(
        id_ for id_ in told.removeprefix(_SEAL).decode(errors="replace").split("\n") if id_
    )


def expressible(reply: Reply) -> list[ReplyCall]:
    """The calls of a reply that Gemini can say."""
    return [call for call in reply.calls if arguments(call.arguments) is not None]


def call_part(id_: str | None, tool: str | None, args: Object, signed: str | None) -> Object:
    """A call as a part; the first of a reply is signed. A name or id that is None is not said."""
    said = {"name": tool, "args": args, "id": id_}
    part: Object = {"functionCall": {name: what for name, what in said.items() if what is not None}}
    if signed is not None:
        part["thoughtSignature"] = signed
    return part


def thought_part(text: str) -> Object:
    """What the model thought, or a piece of it."""
    return {"text": text, "thought": True}


def tells_thoughts(frame: Frame) -> bool:
    """Whether the request asked for them."""
    return frame.echo.get("thoughts") is True


def signs_text(reply: Reply) -> bool:
    """Whether the last part is signed, as no call is that could be."""
    is_answer = not reply.calls and reply.finish != "content_filter"
    return bool(reply.thought) and is_answer


def parts(reply: Reply, frame: Frame) -> list[Object]:
    """A whole reply as parts. Where one thought and calls nothing, its last part is signed."""
    calls = expressible(reply)
    told = bool(reply.thought) and tells_thoughts(frame)
    said: list[Object] = [thought_part(reply.thought)] if told else []
    if reply.text:
        said.append({"text": reply.text})
    if signs_text(reply):
        last = said.pop() if reply.text else {"text": ""}
        said.append({**last, "thoughtSignature": signature(())})
    for number, call in enumerate(calls):
        signed = None if number else signature(each.id for each in calls)
        said.append(call_part(call.id, call.tool, arguments(call.arguments) or {}, signed))
    return said


def candidate(said: list[Object], finish: Finish | None, broken: str | None = None) -> Object:
    """A candidate; `broken` is a call that could not be said, as it is told of.

    One that says nothing still has a content, unless it was stopped for safety.
    """
    reason = None if finish is None else FINISHES[finish]
    if broken is not None and reason == "STOP":
        reason = MALFORMED
    made: Object = {}
    if said:
        made["content"] = {"parts": said, "role": "model"}
    elif reason != "SAFETY":
        made["content"] = {} if reason == MALFORMED else {"role": "model"}
    if reason is not None:
        made["finishReason"] = reason
    made["index"] = 0
    if reason == "SAFETY":
        made["safetyRatings"] = SAFETY_RATINGS
    if reason == MALFORMED:
        made["finishMessage"] = f"Malformed function call: {broken}"
    return made


def is_stopped(finish: Finish, broken: str | None) -> bool:
    """Whether a reply ends in a candidate that says nothing at all."""
    return finish == "content_filter" or (broken is not None and FINISHES[finish] == "STOP")


def broken_call(tool: str | None, text: str) -> str:
    """A call that Gemini cannot say, as it is told of."""
    return f"{tool or ''}({text})"


def usage(prompt_tokens: int, candidates_tokens: int, thoughts_tokens: int = 0) -> Object:
    """Token counts. Protobuf leaves out what is zero."""
    counts = {
        "promptTokenCount": prompt_tokens,
        "candidatesTokenCount": candidates_tokens,
        "totalTokenCount": prompt_tokens + candidates_tokens + thoughts_tokens,
    }
    return {
        **{name: count for name, count in counts.items() if count},
        **text_tokens("promptTokensDetails", prompt_tokens),
        **({"thoughtsTokenCount": thoughts_tokens} if thoughts_tokens else {}),
        "serviceTier": SERVICE_TIER,
    }


def text_tokens(name: str, tokens: int) -> Object:
    """Tokens by modality: all of them are text."""
    return {name: [{"modality": "TEXT", "tokenCount": tokens}]} if tokens else {}
