"""What enters the history stays in its budget (SPEC C7).

Budgets are bytes of UTF-8, because that is what providers meter and what a hostile tool can blow
up; cuts fall between characters. A cut is never silent: the text says how much is missing and how
to read on, and that sentence is part of the budget too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from faultloop.loop.tools.port import ToolResult

EXCERPT_BYTES = 2_000
"""SPEC P7: how much of what was received is quoted back to the model."""

READ_ON = "ask for a smaller part to see the rest"
"""Said where neither the tool nor its contract names a better way."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text that fits its budget."""

    text: str
    cut: bool


def head(text: str, budget_bytes: int) -> str:
    """The longest beginning of `text` that fits, cut between characters."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= budget_bytes:
        return text
    return raw[: max(0, budget_bytes)].decode("utf-8", "ignore")


def fit(text: str, budget_bytes: int, *, read_on: str = READ_ON) -> Fitted:
    """Cut `text` to the budget, saying so and how to read on; short texts pass untouched."""
    size = len(text.encode("utf-8", "replace"))
    if size <= budget_bytes:
        return Fitted(text, cut=False)
    # The number in the sentence depends on its own length: reserve for the longest it can be.
    reserved = len(_cut_sentence(size, size, read_on).encode("utf-8", "replace"))
    kept = head(text, budget_bytes - reserved)
    sentence = _cut_sentence(len(kept.encode("utf-8", "replace")), size, read_on)
    return Fitted(head(kept + sentence, budget_bytes), cut=True)


def fit_result(result: ToolResult, budget_bytes: int) -> ToolResult:
    """The result as it may enter the history: its content in budget, `truncated` where cut."""
    fitted = fit(result.content, budget_bytes, read_on=result.continuation or READ_ON)
    if not fitted.cut:
        return result
    return replace(result, content=fitted.text, truncated=True)


def excerpt(text: str, around: int | None = None) -> str:
    """What was received, quoted in at most `EXCERPT_BYTES`, saying what was left out (SPEC P7).

    `around` is the character at which something went wrong: where the text is too long, the
    quotation is the part about it rather than the beginning.
    """
    raw = text.encode("utf-8", "replace")
    if len(raw) <= EXCERPT_BYTES:
        return text
    start = 0
    if around is not None:
        start = max(0, len(text[:around].encode("utf-8", "replace")) - EXCERPT_BYTES // 2)
    note = f" [an excerpt from byte {start}; {len(raw)} bytes in all]"
    quoted = raw[start : start + EXCERPT_BYTES - len(note)].decode("utf-8", "ignore")
    return quoted + note


class HeadAndTail:
    """Keeps the beginning and the end of a byte stream of any length in bounded memory."""

    def __init__(self, budget_bytes: int) -> None:
        self.head_bytes = budget_bytes // 2
        self.tail_bytes = budget_bytes - self.head_bytes
        self.size_bytes = 0
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, piece: bytes) -> None:
        """Take the next bytes of the stream."""
        self.size_bytes += len(piece)
        missing = self.head_bytes - len(self._head)
        self._head += piece[:missing]
        self._tail += piece[missing:]
        if len(self._tail) > 2 * self.tail_bytes:  # trimmed now and then, not for every piece
            del self._tail[: -self.tail_bytes]

    @property
    def left_out_bytes(self) -> int:
        """How much of the middle is gone."""
        return max(0, self.size_bytes - self.head_bytes - self.tail_bytes)

    def text(self) -> str:
        """What was kept, with a line in the middle where something was left out."""
        if not self.left_out_bytes:
            return bytes(self._head + self._tail).decode("utf-8", "replace")
        end = bytes(self._tail[-self.tail_bytes :])
        return (
            self._head.decode("utf-8", "ignore")
            + f"\n[{self.left_out_bytes} of {self.size_bytes} bytes left out here]\n"
            + end.decode("utf-8", "ignore")
        )


def _cut_sentence(kept: int, size: int, read_on: str) -> str:
    return f"\n[cut: the first {kept} of {size} bytes; {read_on}]"
