"""Redaction: secrets are cut out of what is kept, and a placeholder stands in their place.

The same secret has the same placeholder everywhere (`<redacted:email:1>`), so that what is replayed
still agrees with itself. It tells nothing of the secret, not even its length. All views of a body
are searched, again and again until nothing is found.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from faultloop.bench.recording.secrets import NEEDED, PATTERNS, Known
from faultloop.bench.recording.views import JSON_ESCAPE, Span, View, views

ROUNDS_MAX = 5
"""Each round finds what the one before it has joined; a second one that finds anything is rare."""

OTHER_SHARE_MAX = 0.05
"""If more of what base64 holds is no printable ASCII, only known secrets are looked for in it: in
such bytes the patterns match by chance."""

T = TypeVar("T")

_PLACEHOLDER = re.compile(r"<redacted:[a-z-]+:\d+>")
_PACKED = re.compile(r"[A-Za-z0-9+/_-]{10,}={0,2}")
_TEXT = bytes(range(32, 127)) + b"\t\r\n"
ESCAPE_CHARS_MAX = 12
"""Of two `\\uXXXX` that are one character."""
_PLAIN_ALPHABET = str.maketrans("-_", "+/")


class Edit(NamedTuple):
    """What stands from now on in place of some bytes."""

    start: int
    end: int
    placeholder: bytes


class _Found(NamedTuple):
    kind: str
    secret: str
    spans: list[Span]

    @property
    def size(self) -> int:
        return sum(end - start for start, end in self.spans)


class Redactor:
    """The secrets of one recording and their placeholders."""

    def __init__(self, known: Iterable[Known] = (), *, is_on: bool = True) -> None:
        """`is_on`: without it everything stays as it is."""
        self._is_on = is_on
        self._known: dict[str, str] = {}
        """Kind by secret, the longest first."""
        self._placeholders: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._pattern: re.Pattern[str] | None = None
        self._packed: dict[str, Known | None] = {}
        """What texts that may be base64 were found to hold."""
        self.know(known)

    @property
    def count(self) -> int:
        """How many different secrets were replaced."""
        return len(self._placeholders)

    def know(self, known: Iterable[Known]) -> None:
        """Further texts are secrets."""
        for kind, text in known:
            self._known.setdefault(text, kind)
        self._packed.clear()
        longest_first = sorted(self._known, key=len, reverse=True)
        self._pattern = (
            re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
        )

    def text(self, text: str) -> str:
        """A text without its secrets."""
        (redacted,) = self.chunks([text.encode(errors="surrogatepass")])
        return redacted.decode(errors="surrogatepass")

    def value(self, value: T) -> T:
        """A value of JSON, all of its texts without their secrets."""
        match value:
            case str():
                return self.text(value)  # type: ignore[return-value]
            case dict():
                return {self.value(key): self.value(one) for key, one in value.items()}  # type: ignore[return-value]
            case list():
                return [self.value(one) for one in value]  # type: ignore[return-value]
            case _:
                return value

    def chunks(self, chunks: list[bytes]) -> list[bytes]:
        """The pieces of a body without its secrets, wherever they are cut; as many as before."""
        for _ in range(ROUNDS_MAX if self._is_on else 0):
            edits = self._edits(b"".join(chunks))
            if not edits:
                break
            chunks = _edited(chunks, edits)
        return chunks

    # --- finding ----------------------------------------------------------------------------

    def _edits(self, body: bytes) -> list[Edit]:
        """What to replace, in order and without overlaps."""
        found = [one for view in views(body) for one in self._in_view(view)]
        found.sort(key=lambda one: one.size, reverse=True)
        taken = bytearray(len(body))
        edits: list[Edit] = []
        for one in found:
            placeholder = self._placeholder(one).encode() if _is_free(one, taken) else b""
            for start, end in one.spans:
                for piece in _untaken(start, end, taken):
                    edits.append(Edit(*piece, placeholder))
                    placeholder = b""
                taken[start:end] = b"\1" * (end - start)
        return sorted(edits)

    def _in_view(self, view: View) -> Iterator[_Found]:
        for kind, secret, start, end in self._secrets(view.text):
            begin = _after_escape(view.text, start)
            if begin < end:
                yield _Found(kind, secret, view.at(begin, end))
        for match in _PACKED.finditer(view.text):
            if (held := self._held(match[0])) is not None:
                yield _Found(*held, view.at(*match.span()))

    def _held(self, token: str) -> Known | None:
        """The secret that a text holds in base64, if it does."""
        if token not in self._packed:
            self._packed[token] = next(self._unpacked(token), None)
        return self._packed[token]

    def _unpacked(self, token: str) -> Iterator[Known]:
        for shift in range(4):
            data = _unpacked(token[shift:])
            is_text = len(data.translate(None, _TEXT)) <= len(data) * OTHER_SHARE_MAX
            if is_text or self._pattern is not None:
                said = data.decode(errors="replace")
                for kind, secret, _, _ in self._secrets(said, only_known=not is_text):
                    yield Known(kind, secret)

    def _secrets(
        self, text: str, *, only_known: bool = False
    ) -> Iterator[tuple[str, str, int, int]]:
        """Kind, secret, and from where to where."""
        if self._pattern is not None:
            for match in self._pattern.finditer(text):
                yield self._known[match[0]], match[0], *match.span()
        for kind, pattern in () if only_known else PATTERNS.items():
            if kind in NEEDED and NEEDED[kind] not in text:
                continue
            for match in pattern.finditer(text):
                group = match.lastindex or 0
                if not _PLACEHOLDER.search(match[group]):
                    yield kind, match[group], *match.span(group)

    def _placeholder(self, found: _Found) -> str:
        placeholder = self._placeholders.get(found.secret)
        if placeholder is None:
            number = self._counts[found.kind] = self._counts.get(found.kind, 0) + 1
            placeholder = self._placeholders[found.secret] = f"<redacted:{found.kind}:{number}>"
        return placeholder


def _is_free(found: _Found, taken: bytearray) -> bool:
    return not any(any(taken[start:end]) for start, end in found.spans)


def _untaken(start: int, end: int, taken: bytearray) -> Iterator[Span]:
    """The parts of a span that nothing else replaces."""
    begin = None
    for at in range(start, end + 1):
        is_open = at < end and not taken[at]
        if is_open and begin is None:
            begin = at
        elif not is_open and begin is not None:
            yield begin, at
            begin = None


def _edited(chunks: list[bytes], edits: list[Edit]) -> list[bytes]:
    edited: list[bytes] = []
    offset = 0
    for chunk in chunks:
        made, done, end = bytearray(), offset, offset + len(chunk)
        for edit in edits:
            if edit.end <= offset or edit.start >= end:
                continue
            made += chunk[done - offset : max(edit.start - offset, 0)]
            if edit.start >= offset:
                made += edit.placeholder
            done = min(edit.end, end)
        edited.append(bytes(made + chunk[done - offset :]))
        offset = end
    return edited


def _after_escape(text: str, start: int) -> int:
    """Where what begins there begins without the letters of an escape that it is in the middle of:
    `\\nme@example.org`."""
    for match in JSON_ESCAPE.finditer(text, max(0, start - ESCAPE_CHARS_MAX)):
        if match.start() >= start:
            break
        if match.end() > start:
            return match.end()
    return start


def _unpacked(token: str) -> bytes:
    bare = token.rstrip("=").translate(_PLAIN_ALPHABET)
    bare = bare[: len(bare) - (len(bare) % 4 == 1)]
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4))
    except binascii.Error:
        return b""
