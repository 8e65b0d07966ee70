"""What enters the history can be written down, and stays in its budget (SPEC C7).

Budgets are bytes of UTF-8, because that is what providers meter and what a hostile tool can blow
up; cuts fall between characters. A cut is never silent: the text says how much is missing and how
to read on, and that sentence is part of the budget too.
"""

from __future__ import annotations

import codecs
import re

import msgspec
from msgspec.structs import replace

from faultloop.loop.tools.port import ToolResult

EXCERPT_BYTES = 2_000
"""SPEC P7: how much of what was received is quoted back to the model."""

NO_TEXT = re.compile("[\udc80-\udcff]")
"""Bytes that are not UTF-8, as `surrogateescape` decodes them."""

CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
"""Bytes of UTF-8 that only ever follow others of their character; at most three do."""

READ_ON = "ask for a smaller part to see the rest"
"""Said where neither the tool nor its contract names a better way."""


class Fitted(msgspec.Struct, frozen=True):
    """A text that fits its budget."""

    text: str
    cut: bool


def clean(text: str) -> str:
    """The text as every provider and journal can carry it.

    Halves of one character that were escaped apart are joined; half a character alone, as file
    names and other undecoded bytes bring it, becomes U+FFFD.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


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
    """The result as it may enter the history: clean, in budget, and saying all that it is (C4).

    Its machine code, and how to read on where the tool itself cut, are told in a last line, unless
    the content says so already, as the JSON of many tools does.
    """
    content, code = clean(result.content), clean(result.code)
    continuation = clean(result.continuation)
    of_code = f"\n[code: {code}]" if code and result.outcome != "ok" else ""
    of_cut = _cut_by_tool(content, continuation) if result.truncated or continuation else ""
    room = budget_bytes - len((of_cut + of_code).encode())
    read_on = f"to read on: {continuation}" if continuation else READ_ON
    fitted = fit(content, room, read_on=read_on)
    # Where it is cut here as well, the sentence about that says it better.
    text = fitted.text if fitted.cut else fitted.text + of_cut
    return replace(
        result,
        content=text if code in text else head(text + of_code, budget_bytes),
        code=code,
        truncated=result.truncated or fitted.cut,
        continuation=continuation,
    )


def _cut_by_tool(content: str, continuation: str) -> str:
    if continuation:
        return "" if continuation in content else f"\n[cut; to read on: {continuation}]"
    return "" if "truncated" in content else f"\n[cut; {READ_ON}]"


def excerpt(text: str, around: int | None = None, budget_bytes: int = EXCERPT_BYTES) -> str:
    """What was received, quoted within the budget, saying what was left out (SPEC P7).

    `around` is the character at which something went wrong: where the text is too long, the
    quotation is the part about it rather than the beginning.
    """
    raw = text.encode("utf-8", "replace")
    if len(raw) <= budget_bytes:
        return text
    start = 0
    if around is not None:
        start = max(0, len(text[:around].encode("utf-8", "replace")) - budget_bytes // 2)
    note = f" [an excerpt from byte {start}; {len(raw)} bytes in all]"
    quoted = raw[start : max(start, start + budget_bytes - len(note))].decode("utf-8", "ignore")
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
            del self._tail[: len(self._tail) - self.tail_bytes]

    @property
    def left_out_bytes(self) -> int:
        """How much of the middle is gone."""
        return max(0, self.size_bytes - self.head_bytes - self.tail_bytes)

    def text(self) -> str:
        """What was kept, with a line in the middle where something was left out.

        A byte that is no text becomes one `?`, so that binary output takes no more room than it
        had: U+FFFD would take three bytes for each.
        """
        if not self.left_out_bytes:
            return _decoded(self._head + self._tail)
        return (
            _decoded(self._head, cut_end=True)
            + f"\n[{self.left_out_bytes} of {self.size_bytes} bytes left out here]\n"
            + _decoded(self._tail[len(self._tail) - self.tail_bytes :], cut_start=True)
        )


def _decoded(raw: bytes | bytearray, *, cut_start: bool = False, cut_end: bool = False) -> str:
    """The text of raw bytes; a character that a cut went through is dropped."""
    if cut_start:
        raw = raw[len(raw[:3]) - len(raw[:3].lstrip(CONTINUATION_BYTES)) :]
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    return NO_TEXT.sub("?", decoder.decode(bytes(raw), final=not cut_end))


def _cut_sentence(kept: int, size: int, read_on: str) -> str:
    return f"\n[cut: the first {kept} of {size} bytes; {read_on}]"
