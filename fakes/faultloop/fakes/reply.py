"""A reply of the scripted model on its way to the wire.

`Reply` is what the model says this time, with ids; model faults turn one reply into another.
`pieces` cuts a reply into deltas, the smallest things that a stream carries in any dialect; stream
faults change that sequence. A dialect only spells the outcome as bytes.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from faultloop.fakes.script import Finish


class ReplyCall(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call with the id under which its result must come back."""

    id: str
    tool: str
    arguments: str


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """One whole assistant message as the model means it."""

    id: str
    """Without a dialect's prefix (`chatcmpl-`, `msg_`, ...)."""
    turn: int
    """The script's turn, from 0."""
    step: int
    """The step's number through all turns, from 1; 0 where no step of the script is said."""
    text: str
    calls: tuple[ReplyCall, ...]
    finish: Finish
    is_refusal: bool = False
    """The text is a refusal, which some dialects say in a place of its own."""
    thought: str = ""
    """What the model thought first."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    """Those of its thoughts among them."""
    reasoning_tokens: int = 0


class Opened(msgspec.Struct, frozen=True, gc=False):
    """The assistant begins to speak."""


class Thought(msgspec.Struct, frozen=True, gc=False):
    """A piece of what the model thinks before it speaks."""

    text: str


class Text(msgspec.Struct, frozen=True, gc=False):
    """A piece of text."""

    text: str


class CallBegan(msgspec.Struct, frozen=True, gc=False):
    """A call's id and name are known; its arguments follow."""

    index: int
    id: str | None
    """None: it is not said, now or at all, which only a broken provider does; so is a name."""
    tool: str | None


class CallArguments(msgspec.Struct, frozen=True, gc=False):
    """A piece of a call's argument text."""

    index: int
    text: str


class Finished(msgspec.Struct, frozen=True, gc=False):
    """The finish reason."""

    finish: Finish


class Usage(msgspec.Struct, frozen=True, gc=False):
    """Token counts, where the dialect sends them."""

    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int = 0
    """How many of the completion's are of thoughts."""


class EndMark(msgspec.Struct, frozen=True, gc=False):
    """The dialect's own sign that nothing follows (`[DONE]`, `message_stop`, ...)."""


class ProviderError(msgspec.Struct, frozen=True, gc=False):
    """The provider breaks off in words of its own, in the middle of a stream that began well."""

    message: str


class Garbled(msgspec.Struct, frozen=True, gc=False):
    """An event whose data breaks off, so that it is no JSON."""

    lost: Delta
    """What it would have said. A dialect that repeats says it again in later events."""


NoiseForm = Literal["comment", "unknown_event", "null_delta", "no_choices"]
"""A comment that keeps the connection alive; an event of a type that nobody has heard of; an event
whose delta is null; one without any choice, candidate or content."""


class Noise(msgspec.Struct, frozen=True, gc=False):
    """Something that is sent and says nothing."""

    form: NoiseForm


class Unclosed(msgspec.Struct, frozen=True, gc=False):
    """From here on no block ends, in dialects where blocks have ends of their own."""


Delta = (
    Opened
    | Thought
    | Text
    | CallBegan
    | CallArguments
    | Finished
    | Usage
    | EndMark
    | ProviderError
    | Garbled
    | Noise
    | Unclosed
)


class Stall(msgspec.Struct, frozen=True, gc=False):
    """Nothing is sent for a while; None means for as long as the client stays."""

    seconds: float | None


class Reset(msgspec.Struct, frozen=True, gc=False):
    """The connection breaks here without a proper end (TCP RST where the transport can)."""


class Eof(msgspec.Struct, frozen=True, gc=False):
    """The body ends here, properly framed, whatever is missing."""


Trouble = Stall | Reset | Eof
Item = Delta | Trouble

ARGUMENT_PIECE_CHARS = 12
TEXT_PIECE_CHARS = 24


def pieces(reply: Reply) -> tuple[Delta, ...]:
    """Cut a reply into the deltas of a well-behaved stream, calls one after the other."""
    deltas: list[Delta] = [Opened()]
    text, thought = reply.text, reply.thought
    deltas += [
        Thought(thought[start : start + TEXT_PIECE_CHARS])
        for start in range(0, len(thought), TEXT_PIECE_CHARS)
    ]
    deltas += [
        Text(text[start : start + TEXT_PIECE_CHARS])
        for start in range(0, len(text), TEXT_PIECE_CHARS)
    ]
    for index, call in enumerate(reply.calls):
        deltas.append(CallBegan(index, call.id, call.tool))
        spelt = call.arguments
        deltas += [
            CallArguments(index, spelt[start : start + ARGUMENT_PIECE_CHARS])
            for start in range(0, len(spelt), ARGUMENT_PIECE_CHARS)
        ]
    usage = Usage(reply.prompt_tokens, reply.completion_tokens, reply.reasoning_tokens)
    return *deltas, Finished(reply.finish), usage, EndMark()
