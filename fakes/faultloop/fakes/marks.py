"""Marks: ids and references that nobody can guess, by which a script finds its place again.

Every call id, every reply text and every user message of a play carries a keyed hash of where it
stands in the script. Whatever a subject sends back, in whatever shape, is searched for them in its
raw text: the next step is one past the furthest step that left a mark there. Requests are never
counted, so retries, restarts, dropped turns and flattened messages are all followed.

Equal (seed, play) give equal marks; a subject that does not know the seed cannot forge one.
"""

from __future__ import annotations

from binascii import b2a_base64
from hashlib import blake2b

_CALL_ID_BYTES = 18
_REPLY_ID_BYTES = 22
_REFERENCE_BYTES = 4
_LETTERS = bytes.maketrans(b"+/", b"Xz")
"""Two of the 64 digits stand for two others as well, so that only letters and digits occur."""


class Marks:
    """The marks of one play. Pure: the same arguments always give the same mark."""

    def __init__(self, seed: int, play: str) -> None:
        self._key = blake2b(f"{seed}/{play}".encode(), digest_size=32).digest()

    def call_id(self, turn: int, step: int, call: int, served: int) -> str:
        """Id of a call: `call_` and 24 letters and digits, as OpenAI's are.

        `served` counts how often the step was said, so that a repeat has ids of its own.
        """
        return "call_" + self._letters(f"call/{turn}/{step}/{call}/{served}", _CALL_ID_BYTES)

    def text_mark(self, turn: int, step: int, served: int) -> str:
        """What is appended to a reply's text: `[ref 9f2c61ab]`."""
        return self._reference(f"text/{turn}/{step}/{served}")

    def input_mark(self, turn: int) -> str:
        """What is appended to the user's message number `turn`, in the same form."""
        return self._reference(f"input/{turn}")

    def marked_input(self, turn: int, text: str) -> str:
        """The user's message as the subject gets it."""
        return f"{text} {self.input_mark(turn)}"

    def reply_id(self, request: int) -> str:
        """Id of the reply to a request, without a dialect's prefix: 29 letters and digits."""
        return self._letters(f"reply/{request}", _REPLY_ID_BYTES)[:29]

    def _reference(self, name: str) -> str:
        return f"[ref {self._hash(name, _REFERENCE_BYTES).hex()}]"

    def _letters(self, name: str, size: int) -> str:
        return b2a_base64(self._hash(name, size), newline=False).translate(_LETTERS).decode()

    def _hash(self, name: str, size: int) -> bytes:
        return blake2b(name.encode(), key=self._key, digest_size=size).digest()
