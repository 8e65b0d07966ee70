"""Signatures of thoughts: opaque to a client, and known again when they come back.

A provider signs what its model thought and wants it back unchanged. A seal here is a digest of the
text, so that whether a thought is ours, and as it was, is told without a memory of replies.
"""

from __future__ import annotations

import base64
import binascii
from enum import Enum
from hashlib import blake2b

_SEAL = b"\x12\x0afaultloop"
_DIGEST_BYTES = 48


class Seal(Enum):
    """What a signature turns out to be."""

    FITS = "fits"
    """Ours, of this text."""
    OTHER_TEXT = "other text"
    """Ours, of another text."""
    FOREIGN = "foreign"
    """None of ours."""


def signed(thought: str) -> str:
    """The signature of a thought."""
    return base64.b64encode(_SEAL + _digest(thought)).decode()


def judged(signature: str, thought: str) -> Seal:
    """What the signature of a thought is that came back."""
    try:
        told = base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return Seal.FOREIGN
    if not told.startswith(_SEAL) or len(told) != len(_SEAL) + _DIGEST_BYTES:
        return Seal.FOREIGN
    return Seal.FITS if told.removeprefix(_SEAL) == _digest(thought) else Seal.OTHER_TEXT


def _digest(thought: str) -> bytes:
    return blake2b(thought.encode(errors="replace"), digest_size=_DIGEST_BYTES).digest()
