"""A model that says its lines in process, without any wire, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple

from faultloop.bench.drills.kit.toys import Gate
from faultloop.loop.message import FinishReason, Message, Notice, ResultMessage, UserMessage
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ModelRequest,
    TextDelta,
    UsageDelta,
)

Piece = Delta | Exception | Gate
Line = Sequence[Piece]
"""What the model does in one request: deltas, a gate that it is held at, or trouble."""

USAGE = UsageDelta(10, 5)
"""What every whole reply is said to have cost."""


class Ask(NamedTuple):
    """A tool call of the model's, in short."""

    tool: str
    arguments: str = "{}"


def say(text: str, *before: Piece, finish: FinishReason = "stop") -> Line:
    """A reply of text; what stands `before` happens first."""
    return [*before, TextDelta(text), FinishDelta(finish, finish), USAGE, EndDelta()]


def call(*asks: Ask, text: str = "", finish: FinishReason = "tool_calls") -> Line:
    """A reply that makes these calls, under the ids c0, c1, ..."""
    spoken: list[Piece] = [TextDelta(text)] if text else []
    made = [
        CallDelta(index, id=f"c{index}", name=ask.tool, arguments=ask.arguments)
        for index, ask in enumerate(asks)
    ]
    return [*spoken, *made, FinishDelta(finish, finish), USAGE, EndDelta()]


class Scripted:
    """Says a line for each request, and `(nothing further)` when it has none left."""

    def __init__(self, *lines: Line) -> None:
        self.lines = list(lines)
        self.requests: list[ModelRequest] = []
        self.closed = 0
        """Streams that were let go of."""
        self.most = 0
        """Streams that were open at the same time, at most."""
        self.witness: Callable[[ModelRequest], None] = lambda request: None
        """Looks at whatever there is to see when a request comes."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The deltas of the next line. Raises what stands in it."""
        self.requests.append(request)
        self.most = max(self.most, len(self.requests) - self.closed)
        self.witness(request)
        try:
            for piece in self.line(request):
                if isinstance(piece, Exception):
                    raise piece
                if isinstance(piece, Gate):
                    await piece.passed()
                else:
                    yield piece
        finally:
            self.closed += 1

    def line(self, request: ModelRequest) -> Line:
        """What it says to this request; a model with a mind of its own overrides it."""
        return self.lines.pop(0) if self.lines else say("(nothing further)")

    def texts(self, kind: type[Message], request: int = -1) -> list[str]:
        """What messages of this kind say in a request (default: the last)."""
        if not self.requests:
            return []
        return [
            message.content if isinstance(message, ResultMessage) else message.text
            for message in self.requests[request].messages
            if isinstance(message, kind)
        ]

    def said(self, request: int = -1) -> list[str]:
        """What the user said, as a request has it."""
        return self.texts(UserMessage, request)

    def told(self, request: int = -1) -> list[str]:
        """The results in a request."""
        return self.texts(ResultMessage, request)

    def notices(self, request: int = -1) -> list[str]:
        """What the loop itself says in a request."""
        return self.texts(Notice, request)
