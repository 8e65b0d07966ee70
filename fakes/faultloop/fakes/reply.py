"""A reply of the scripted model on its way to the wire.

`Reply` is what the model says this time, with ids; model faults turn one reply into another.
`pieces` cuts a reply into deltas, the smallest things that a stream carries in any dialect; stream
faults change that sequence. A dialect only spells the outcome as bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from faultloop.fakes.script import Finish


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyCall:
    """A tool call with the id under which its result must come back."""

    id: str
    tool: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
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
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Opened:
    """The assistant begins to speak."""


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text."""

    text: str


@dataclass(frozen=True, slots=True)
class CallBegan:
    """A call's id and name are known; its arguments follow."""

    index: int
    id: str
    tool: str


@dataclass(frozen=True, slots=True)
class CallArguments:
    """A piece of a call's argument text."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The finish reason."""

    finish: Finish


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts, where the dialect sends them."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class EndMark:
    """The dialect's own sign that nothing follows (`[DONE]`, `message_stop`, ...)."""


Delta = Opened | Text | CallBegan | CallArguments | Finished | Usage | EndMark


@dataclass(frozen=True, slots=True)
class Stall:
    """Nothing is sent for a while; None means for as long as the client stays."""

    seconds: float | None


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection breaks here without a proper end (TCP RST where the transport can)."""


@dataclass(frozen=True, slots=True)
class Eof:
    """The body ends here, properly framed, whatever is missing."""


Trouble = Stall | Reset | Eof
Item = Delta | Trouble

ARGUMENT_PIECE_CHARS = 12
TEXT_PIECE_CHARS = 24


def pieces(reply: Reply) -> Iterator[Delta]:
    """Cut a reply into the deltas of a well-behaved stream, calls one after the other."""
    yield Opened()
    for start in range(0, len(reply.text), TEXT_PIECE_CHARS):
        yield Text(reply.text[start : start + TEXT_PIECE_CHARS])
    for index, call in enumerate(reply.calls):
        yield CallBegan(index, call.id, call.tool)
        for start in range(0, len(call.arguments), ARGUMENT_PIECE_CHARS):
            yield CallArguments(index, call.arguments[start : start + ARGUMENT_PIECE_CHARS])
    yield Finished(reply.finish)
    yield Usage(reply.prompt_tokens, reply.completion_tokens)
    yield EndMark()
